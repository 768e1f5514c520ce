-- An event's place in the chain, for exports of a selection and for removing events because of their age.
create index audit_chain_by_event on audit_chain (event_id);
