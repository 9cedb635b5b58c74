import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ClusterConnection,
  type PostgresInstallation,
  readClusterConnection,
  writeClusterConnection,
} from './embedded-postgres-installation.ts'
import { isPostgresProcessOf } from './embedded-postgres-process.ts'

/**
 * A database belongs to one data folder. A copy of the folder may hold a link to the database instead of the database,
 * and would write into the original's; a copy made while the database ran is torn. Both are refused; a folder that was
 * moved, and a copy made while the database was stopped, become the owner of what they hold.
 */
export function claimDataFolder(
  link: string,
  cluster: string,
  memo: ClusterConnection,
  place: PostgresInstallation,
): ClusterConnection {
  const folder = realpathSync(dirname(link))
  if (memo.folder === folder && memo.archiveId) return memo
  if (
    memo.folder &&
    memo.folder !== folder &&
    lstatSync(link).isSymbolicLink() &&
    isLedTo(join(memo.folder, 'cluster'), cluster)
  ) {
    throw new Error(
      `${dirname(link)} is a copy of ${memo.folder} and holds only a link to its database in ${cluster}; ` +
        'started from here it would write into the original. To get a copy of your own, make a backup there and ' +
        'restore it here ' +
        '(npm run backup, npm run restore). If the original is to be given up, delete ' +
        `${join(memo.folder, 'cluster')} first.`,
    )
  }
  if (isCopiedWhileRunning(cluster)) {
    throw new Error(
      `${cluster} was copied while its database ran, so that parts of it may not fit each other. Make a backup ` +
        'of the ' +
        'original and restore it here (npm run backup, npm run restore), or copy it again while it is stopped. If ' +
        'all of it was taken ' +
        `in one moment (a snapshot of the disk), delete ${join(cluster, 'postmaster.pid')} and start again.`,
    )
  }
  // A folder that was moved keeps its archive, one whose original is still there does not.
  const archiveId = memo.archiveId && !isCopied(memo, folder) ? memo.archiveId : randomUUID()
  const claimed = { ...memo, folder, archiveId }
  writeClusterConnection(cluster, claimed, place)
  return claimed
}

function isCopied({ folder: from, archiveId }: ClusterConnection, folder: string): boolean {
  const original = from && from !== folder && join(from, 'cluster')
  return (
    !!original &&
    existsSync(join(original, 'connection.json')) &&
    readClusterConnection(original).archiveId === archiveId
  )
}

function isLedTo(link: string, cluster: string): boolean {
  return existsSync(link) && realpathSync(link) === cluster
}

/** The pid file came along, and the database it names runs, on another folder. */
function isCopiedWhileRunning(cluster: string): boolean {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return false
  const [pid = '', folder = ''] = readFileSync(file, 'utf8').split('\n')
  return folder !== '' && folder !== cluster && isPostgresProcessOf(Math.abs(Number(pid)), folder)
}
