-- locks: a row for each register, rewritten in a moment
alter table "cash_register" alter column "clock_skew" type bigint;
-- locks: a row for each device that signs in, rewritten in a moment
alter table "device_link" alter column "clock_offset" type bigint;
alter table "epa_device" add column "doubtful_energy" numeric(18,3);
alter table "epa_device" add column "energy_time" timestamptz(3);
