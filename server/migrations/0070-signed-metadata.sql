alter table saml_metadata_watches add column signer text;
comment on column saml_metadata_watches.signer is
  'PEM: the certificates that the metadata must be signed with, as of a federation. Null: its signature is not checked.';
