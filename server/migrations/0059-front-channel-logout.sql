alter table clients add column frontchannel_logout_uri text;
comment on column clients.frontchannel_logout_uri is
  'Opened in a hidden frame where somebody signs out in the browser (OpenID Connect Front-Channel Logout).';
