import { copyFile, lchown, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Runner } from '../../../src/database/embedded/runner.ts'

type Server = Readonly<{ host: string; port: number; folder: string; runner: Runner }>

/** A base backup by PostgreSQL's low-level interface: the bundled binaries have no pg_basebackup. */
export async function copyCluster(from: Server, to: Server, login: { user: string; password: string }): Promise<void> {
  const client = new pg.Client({ host: from.host, port: from.port, ...login, database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await rm(to.folder, { recursive: true, force: true })
    await client.query("select pg_backup_start('replica', true)")
    await copyFolder(from.folder, to.folder)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const { host, port } = from
    const source = `host=${host} port=${port} user=${login.user} password=${login.password} connect_timeout=2`
    await writeFile(join(to.folder, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
    await writeFile(join(to.folder, 'standby.signal'), '', { mode: 0o600 })
    await writeFile(join(to.folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`, { mode: 0o600 })
  } finally {
    await client.end()
  }
  await giveToOwner(to)
}

/** A copy belongs to the OS user who made it, and may have to belong to PostgreSQL's. */
export async function giveToOwner({ folder, runner: { owner } }: Pick<Server, 'folder' | 'runner'>): Promise<void> {
  if (!owner) return
  for (const file of ['', ...(await readdir(folder, { recursive: true }))])
    await lchown(join(folder, file), owner.uid, owner.gid)
}

/** These belong to the running server, or are streamed. */
const notCopied =
  /^(postmaster\.(pid|opts)|standby\.signal|pg_wal\/.+|pg_replslot\/.+|pg_dynshmem\/.+|pg_stat_tmp\/.+|.*pgsql_tmp.*)$/

/** Files may vanish meanwhile: replaying the log creates or removes them. */
async function copyFolder(from: string, to: string, path = ''): Promise<void> {
  await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
    const name = path === '' ? entry.name : `${path}/${entry.name}`
    if (notCopied.test(name) && name !== 'pg_wal/archive_status' && name !== 'pg_wal/summaries') continue
    if (entry.isDirectory()) await copyFolder(from, to, name)
    else if (entry.isSymbolicLink()) await symlink(await readlink(join(from, name)), join(to, name))
    else await copyFile(join(from, name), join(to, name)).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
