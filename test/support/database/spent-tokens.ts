import { type Kysely, sql } from 'kysely'

/** The grace period of a spent refresh token follows the clock of the database, which no test can stop: from now on it does
 *  not end by itself, however busy the machine is. A time of another clock is not changed. */
export async function holdGracePeriod<T>(db: Kysely<T>): Promise<void> {
  await sql`create or replace function hold_grace_period() returns trigger language plpgsql as
    $$ begin new.spent_at := new.spent_at + interval '1 day'; return new; end $$`.execute(db)
  await sql`create or replace trigger hold_grace_period before update on refresh_token for each row
    when (old.spent_at is null and new.spent_at > clock_timestamp() - interval '1 hour')
    execute function hold_grace_period()`.execute(db)
}

/** As if all spent tokens had been spent, and their answers kept, so many seconds ago. */
export async function setSpentAgo<T>(db: Kysely<T>, seconds: number): Promise<void> {
  await sql`update refresh_token set spent_at = clock_timestamp() - ${seconds} * interval '1 second'
    where spent_at is not null`.execute(db)
  await sql`update refresh_answer set made_at = clock_timestamp() - ${seconds} * interval '1 second'`.execute(db)
}
