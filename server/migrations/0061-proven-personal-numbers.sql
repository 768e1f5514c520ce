-- BankID has proven that the personal number is the person's own. The writers of the number clear it (prepareSsnColumns):
-- a trigger could not tell a new number from one that is encrypted again.
alter table users add column ssn_proven_at timestamptz;
