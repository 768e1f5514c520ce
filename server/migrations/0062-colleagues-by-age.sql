-- A sign-in page looks at the oldest accounts of a mail domain, however many a free-mail provider has.
drop index users_by_mail_domain;
create index users_by_mail_domain on users (split_part(email, '@', 2), account_id);
