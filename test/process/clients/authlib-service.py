"""A service with Authlib: prints where to sign in, reads where the sign-in ended, prints what it learned."""
import json, os, secrets, sys
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

issuer, client_id, secret, redirect_uri = sys.argv[1:]
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
session = OAuth2Session(
    client_id, secret, scope="openid profile email", redirect_uri=redirect_uri, code_challenge_method="S256"
)
verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
address, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)
print(address, flush=True)
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=input(), state=state, code_verifier=verifier
)
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
options = {"iss": {"value": issuer}, "aud": {"value": client_id}, "nonce": {"value": nonce}}
claims = jwt.decode(token["id_token"], keys, claims_options=options)
claims.validate()
print(json.dumps({"id_token": claims, "userinfo": session.get(metadata["userinfo_endpoint"]).json()}))
