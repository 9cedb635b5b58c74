alter table "oss" add column "may_be_inside" boolean;
alter table "sms" add column "may_be_inside" boolean;
-- What stands there was written by somebody: the platform's people may name hosts beside the server, a tenant's may not.
update "oss" set "may_be_inside" = exists (select 1 from "sys_user" u where u.id = coalesce("oss".update_user, "oss".create_user) and u.tenant_id = '000000') where coalesce(update_user, create_user, 0) <> 0;
update "sms" set "may_be_inside" = exists (select 1 from "sys_user" u where u.id = coalesce("sms".update_user, "sms".create_user) and u.tenant_id = '000000') where coalesce(update_user, create_user, 0) <> 0;
