alter table "tenant" add column "is_practice" boolean;
alter table "tenant_removal" add column "is_practice" boolean;
