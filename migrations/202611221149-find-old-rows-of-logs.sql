create index "ai_task_log_old" on "ai_task_log" (create_time);
