-- Every removal of old rows begins an index (contract/kept.ts).
create index outbox_messages_finished on outbox_messages (finished_at) where state <> 'queued';
create index invitations_by_expiry on invitations (expires_at);
create index daily_figures_by_day on daily_figures (day);
comment on table saml_sign_ins is 'Kept for KEEP_SAML_SIGN_INS_DAYS. Audit events say the same for longer, but not to look for a reference in.';
