alter table "pay_apply" add column "sent_values" jsonb;
alter table "pay_apply" alter column "contact_name" drop not null;
alter table "pay_apply" alter column "mobile_phone" drop not null;
alter table "pay_apply" alter column "contact_email" drop not null;
alter table "pay_apply" alter column "service_phone" drop not null;
