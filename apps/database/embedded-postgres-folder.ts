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
 * Makes this data folder the owner of the cluster it holds. Refuses a copied folder whose `cluster` is only a link to
 * the original's database, since both would write into it, and a copy made while the database ran, which is
 * inconsistent. A moved folder keeps its archive; a copy made while stopped gets a new `archiveId`.
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
  // A moved folder keeps its archive id. A copy whose original still exists gets a new one.
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

/** Whether the copied pid file names a server that is running on another folder. */
function isCopiedWhileRunning(cluster: string): boolean {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return false
  const [pid = '', folder = ''] = readFileSync(file, 'utf8').split('\n')
  return folder !== '' && folder !== cluster && isPostgresProcessOf(Math.abs(Number(pid)), folder)
}
