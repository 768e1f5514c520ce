#!/usr/bin/env python3
"""Checks an export of the audit log without any code of the portal. See docs/audit-export.md.

Usage: verify-audit.py FILE ... [--known SEQ:HASH ...] [--key FINGERPRINT]
Several files, such as months from cold storage and an export of the rest, are one chain, in the order given.
Exit code: 0 intact, 1 broken, 2 cannot be read.
"""

import argparse
import base64
import gzip
import hashlib
import json
import sys
import zlib

FORMAT = "vestibule-audit-export-2"
CONTENT = ("id", "name", "actorId", "actor", "targetId", "target", "organizationIds", "changes", "requestId", "microseconds")


class Broken(Exception):
    pass


def sha256(data):
    return hashlib.sha256(data)


def text_of(fields):
    """Every field after its length in bytes, so that no two rows read the same."""
    return ",".join("-" if field is None else "%d:%s" % (len(field.encode()), field) for field in fields)


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fingerprint(key):
    """RFC 7638, SHA-256, hex."""
    members = json.dumps({"e": key["e"], "kty": "RSA", "n": key["n"]}, separators=(",", ":"), sort_keys=True)
    return sha256(members.encode()).hexdigest()


def read_signed(statement, expected, told):
    """Checks the signature (RS256, RFC 7515 and RFC 8017 8.2.2) and returns what was signed, and the key's fingerprint."""
    key = statement["key"]
    header, payload, signature = statement["signed"].split(".")
    if json.loads(from_base64url(header)).get("alg") != "RS256":
        raise Broken("%s is not signed with RS256" % told)
    n, e = (int.from_bytes(from_base64url(key[name]), "big") for name in ("n", "e"))
    if n.bit_length() < 2048 or e < 3:
        raise Broken("the key of %s is too weak" % told)
    size = (n.bit_length() + 7) // 8
    digest = sha256(("%s.%s" % (header, payload)).encode()).digest()
    info = bytes.fromhex("3031300d060960864801650304020105000420") + digest
    padded = b"\x00\x01" + b"\xff" * (size - len(info) - 3) + b"\x00" + info
    given = from_base64url(signature)
    if len(given) != size or pow(int.from_bytes(given, "big"), e, n).to_bytes(size, "big") != padded:
        raise Broken("the signature of %s is wrong" % told)
    found = fingerprint(key)
    if expected and found != expected.lower():
        raise Broken("%s is signed by the key %s" % (told, found))
    return json.loads(from_base64url(payload)), found


def say_signed(what, found, expected):
    print("%s signed by the key %s%s" % (
        what, found, "" if expected else " (compare it with the portal's: npm run admin -- audit verify)"))


def read_checkpoint(checkpoint, expected):
    signed, found = read_signed(checkpoint, expected, "the checkpoint")
    say_signed("old events were removed; the checkpoint is", found, expected)
    return signed


def read_erasures(erasures, expected):
    """What is left of erased events, by their place."""
    erased = {}
    keys = set()
    for erasure in erasures:
        signed, found = read_signed(erasure, expected, "a list of erased events")
        keys.add(found)
        erased.update((event["seq"], event) for event in signed["erased"])
    for found in sorted(keys):
        say_signed("people were erased from %d events; their list is" % len(erased), found, expected)
    return erased


def check_row(row, removed_before, erased):
    """Checks a row by itself: its content against its digest, and its place against its hash."""
    place = [str(row["seq"]), row["family"], row["microseconds"], row["digest"]]
    if row.get("removed"):
        if int(row["microseconds"]) >= int(removed_before.get(row["family"], 0)):
            raise Broken("the event is missing")
    else:
        salt = row["salt"]
        content = text_of([row[name] for name in CONTENT] + ([] if salt is None else [salt]))
        left = erased.get(row["seq"])
        if left and left["hash"] == row["hash"]:
            if sha256(content.encode()).hexdigest() != left["digest"]:
                raise Broken("its content was changed after it was erased")
        elif sha256(content.encode()).hexdigest() != row["digest"]:
            raise Broken("its content was changed")
    if sha256(bytes.fromhex(row["previousHash"]) + text_of(place).encode()).hexdigest() != row["hash"]:
        raise Broken("its place was changed")


def check_joint(start, before, row):
    """Checks that a file goes on where the one before it ended: it may begin earlier, and then has that file's last row."""
    if start["startSeq"] > before[0]:
        raise Broken("the rows between this file and the one before it are missing")
    if start["startSeq"] == before[0]:
        given = start["startHash"]
    elif row and row["seq"] == before[0]:
        given = row["hash"]
    else:
        return
    if given != before[1]:
        raise Broken("it is not the row that the file before it ended with")


def verify(lines, known, key, before=None, is_last=True):
    header = json.loads(next(lines))
    if header.get("format") != FORMAT:
        raise ValueError("this is no export of the audit log, or of another version")
    start = {"startSeq": 0, "startHash": header["genesis"], "removedBefore": {}}
    if header["checkpoint"]:
        start = read_checkpoint(header["checkpoint"], key)
    if before and not header["complete"]:
        raise ValueError("a selection has no place after another file")
    if before:
        check_joint(start, before, None)
    erased = read_erasures(header["erasures"], key)
    last, last_hash, count = start["startSeq"], start["startHash"], 0
    for text in lines:
        row = json.loads(text)
        seq = row["seq"]
        try:
            if header["complete"] and seq != last + 1:
                raise Broken("the row is missing; the next one is %d" % seq)
            if seq <= last:
                raise Broken("row %d comes after it" % seq)
            if seq == last + 1 and row["previousHash"] != last_hash:
                raise Broken("it does not follow the row before it")
            check_row(row, start["removedBefore"], erased)
            if before:
                check_joint(start, before, row)
            if known.get(seq, row["hash"]) != row["hash"]:
                raise Broken("it is not the row that was known at this place")
        except Broken as reason:
            raise Broken("row %d: %s" % (last + 1 if header["complete"] else seq, reason))
        last, last_hash = seq, row["hash"]
        count += not before or seq > before[0]
    if header["complete"]:
        head = header["head"]
        if (head["seq"], head["hash"]) != (last, last_hash):
            raise Broken("row %d: the chain ends here, and its head is row %d" % (last + 1, head["seq"]))
        missed = [seq for seq in known if seq > last]
        if missed and is_last:
            raise Broken("row %d: the chain ends here, and row %d was known" % (last + 1, min(missed)))
    return count, last, last_hash, header["complete"]


def lines_of(path):
    opened = gzip.open if path.endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8", newline="\n")


def verify_all(paths, known, key):
    before, count = None, 0
    for path in paths:
        with lines_of(path) as lines:
            try:
                found, last, digest, complete = verify(lines, known, key, before, path == paths[-1])
            except Broken as reason:
                raise Broken("%s: %s" % (path, reason) if len(paths) > 1 else reason)
        if before and last < before[0]:
            raise Broken("%s: it ends before the file before it" % path)
        before, count = (last, digest), count + found
    return count, last, digest, complete


def main():
    options = argparse.ArgumentParser(description="Checks an export of the audit log.")
    options.add_argument("files", nargs="+", metavar="FILE", help="an export, or months of cold storage in order")
    options.add_argument("--known", action="append", default=[], metavar="SEQ:HASH", help="a head from the portal's log")
    options.add_argument("--key", metavar="FINGERPRINT", help="the fingerprint of the key that signs checkpoints")
    given = options.parse_args()
    try:
        known = {int(seq): digest.lower() for seq, digest in (head.split(":") for head in given.known)}
        count, last, digest, complete = verify_all(given.files, known, given.key)
    except Broken as reason:
        print("BROKEN, %s" % reason)
        return 1
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError, StopIteration) as error:
        print("cannot be read: %s %s" % (type(error).__name__, error), file=sys.stderr)
        return 2
    if complete:
        print("intact: %d rows, head %d:%s" % (count, last, digest))
    else:
        print("intact: %d rows of a selection, each by itself; it cannot be seen whether one is missing" % count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
