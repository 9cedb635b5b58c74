-- Shops that are there do as their gateways did until now; a default of the column writes no row anew.
alter table "shop_conf" add column "held_seconds" integer default 60;
alter table "shop_conf" alter column "held_seconds" drop default;
alter table "shop_conf" add column "absent_office" text default 'refuse';
alter table "shop_conf" alter column "absent_office" drop default;
alter table "shop_conf" add column "door_settings" jsonb default '[]';
alter table "shop_conf" alter column "door_settings" drop default;
