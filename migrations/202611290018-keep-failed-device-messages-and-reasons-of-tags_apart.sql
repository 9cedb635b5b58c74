-- apart: each statement in no transaction
drop index concurrently if exists "device_message_aside_list";
create index concurrently "device_message_aside_list" on "device_message_aside" (tenant_id, create_time desc, id desc);
drop index concurrently if exists "device_message_aside_all";
create index concurrently "device_message_aside_all" on "device_message_aside" (create_time desc, id desc);
drop index concurrently if exists "device_message_aside_by_shop_id";
create index concurrently "device_message_aside_by_shop_id" on "device_message_aside" (tenant_id, shop_id, create_time desc, id desc);
drop index concurrently if exists "device_message_aside_by_state_create_time";
create index concurrently "device_message_aside_by_state_create_time" on "device_message_aside" (tenant_id, state, create_time desc);
drop index concurrently if exists "device_message_aside_by_link_id_state";
create index concurrently "device_message_aside_by_link_id_state" on "device_message_aside" (tenant_id, link_id, state);
drop index concurrently if exists "device_message_aside_uq_open_key";
create unique index concurrently "device_message_aside_uq_open_key" on "device_message_aside" (tenant_id, open_key);
drop index concurrently if exists "device_message_aside_by_create_time";
