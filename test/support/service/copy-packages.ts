import { existsSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readProject } from '../readme.ts'
import { projectFolder } from './process.ts'

type Locked = Readonly<{ dev?: boolean; link?: boolean; bin?: Record<string, string> }>

/** Copies the packages that refdesk needs at run time, without those that only tests need. */
export async function copyPackages(folder: string, isWanted = (_name: string) => true): Promise<void> {
  const { packages } = JSON.parse(await readProject('package-lock.json')) as { packages: Record<string, Locked> }
  const isNeeded = (name: string) => isWanted(name) && !packages[name]?.dev && !packages[name]?.link
  const names = Object.keys(packages).filter(
    // Without those of other platforms, and those inside of another.
    (name) => isNeeded(name) && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && existsSync(join(projectFolder, name)),
  )
  const options = { recursive: true, verbatimSymlinks: true }
  await Promise.all(names.map((name) => cp(join(projectFolder, name), join(folder, name), options)))
  // If its link in .bin is missing, npm considers a package damaged and installs it again.
  const links = join(folder, 'node_modules', '.bin')
  await mkdir(links)
  for (const name of names)
    for (const [program, file] of Object.entries(packages[name]?.bin ?? {}))
      await symlink(join('..', relative('node_modules', name), file), join(links, program))
}
