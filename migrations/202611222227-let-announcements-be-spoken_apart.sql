-- apart: each statement in no transaction
drop index concurrently if exists "audio_conf_by_trigger";
create index concurrently "audio_conf_by_trigger" on "audio_conf" (tenant_id, trigger) where is_deleted = 0;
alter table "audio_conf" drop constraint if exists "audio_conf_pitch_range", add constraint "audio_conf_pitch_range" check ("pitch" >= 0.5 and "pitch" <= 1.5) not valid;
do $$ begin
  alter table "audio_conf" validate constraint "audio_conf_pitch_range";
  exception when check_violation then
    alter table "audio_conf" drop constraint "audio_conf_pitch_range";
    raise warning 'rows of audio_conf break the rule "pitch" >= 0.5 and "pitch" <= 1.5: it is left out';
  end $$;
alter table "audio_conf" drop constraint if exists "audio_conf_times_range", add constraint "audio_conf_times_range" check ("times" >= 1 and "times" <= 5) not valid;
do $$ begin
  alter table "audio_conf" validate constraint "audio_conf_times_range";
  exception when check_violation then
    alter table "audio_conf" drop constraint "audio_conf_times_range";
    raise warning 'rows of audio_conf break the rule "times" >= 1 and "times" <= 5: it is left out';
  end $$;
