-- This number belongs to a migration that lands first; delete this file then.
select 1;
