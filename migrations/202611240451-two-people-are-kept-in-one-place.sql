alter table "tally_difference" drop column "first_user";
