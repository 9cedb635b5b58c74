create unique index "stored_file_uq_key" on "stored_file" (key);
