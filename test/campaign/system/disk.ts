import { execFile, spawnSync } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const megabytes = 1_000
const chunk = Buffer.alloc(1_048_576)

/** A folder that is a small file system in memory, so that it can be full. Mounting needs root. */
export class SmallDisk {
  readonly folder: string
  readonly isSmall: boolean

  private constructor(folder: string, isSmall: boolean) {
    this.folder = folder
    this.isSmall = isSmall
  }

  static async mount(folder: string): Promise<SmallDisk> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'refdesk-campaign', folder]
    const isMounted = await run('mount', args).then(
      () => true,
      () => false,
    )
    return new SmallDisk(folder, isMounted)
  }

  /** Takes all space that is left. */
  async fill(): Promise<void> {
    const file = await open(join(this.folder, 'filler'), 'a')
    try {
      for (let size = chunk.length; size >= 4_096; ) {
        const isWritten = await file.write(chunk, 0, size).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
        if (!isWritten) size /= 4
      }
    } finally {
      await file.close()
    }
  }

  async free(): Promise<void> {
    await rm(join(this.folder, 'filler'), { force: true })
  }

  async freeMegabytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder)
    return Math.round((bavail * bsize) / 1_048_576)
  }

  unmountNow(): void {
    if (this.isSmall) spawnSync('umount', ['-l', this.folder])
  }

  async unmount(): Promise<void> {
    if (this.isSmall) await run('umount', ['-l', this.folder]).catch(() => undefined)
  }
}
