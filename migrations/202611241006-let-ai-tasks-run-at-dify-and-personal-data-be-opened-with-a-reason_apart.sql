-- apart: each statement in no transaction
alter table "ai_task" drop constraint if exists "ai_task_threshold_range", add constraint "ai_task_threshold_range" check ("threshold" >= 0 and "threshold" <= 100) not valid;
do $$ begin
  alter table "ai_task" validate constraint "ai_task_threshold_range";
  exception when check_violation then
    alter table "ai_task" drop constraint "ai_task_threshold_range";
    raise warning 'rows of ai_task break the rule "threshold" >= 0 and "threshold" <= 100: it is left out';
  end $$;
drop index concurrently if exists "ai_task_log_by_status_start_time";
create index concurrently "ai_task_log_by_status_start_time" on "ai_task_log" (tenant_id, status, start_time);
drop index concurrently if exists "ai_task_log_by_dify_task_id";
create index concurrently "ai_task_log_by_dify_task_id" on "ai_task_log" (tenant_id, dify_task_id);
