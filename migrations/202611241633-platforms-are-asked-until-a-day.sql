alter table "platform_ask" add column "ask_until" timestamptz(3);
-- What nobody asks any more is looked at once, and ends; it is not done again after all that time.
-- locks: asks that were never confirmed are few, and no others are touched
update "platform_ask" set "ask_until" = create_time + interval '3 days' where state in ('asked', 'sent', 'unclear');
-- Somebody who asks sooner has what waits come forward.
grant update (run_at) on job to store_app;
