import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The unprivileged account the database runs under when this process is root: PostgreSQL refuses to run as root. */
type Identity = { uid: number; gid: number }

export type PostgresInstallation = {
  /** Absolute paths of the programs, reachable by `identity`. */
  initdb: string
  postgres: string
  /** Major version of the programs, as in the cluster's PG_VERSION. */
  major: string
  /** The account to run under; undefined for this process's own. */
  identity: Identity | undefined
}

/** The content of the cluster's `connection.json`, readable by its account alone. */
export type ClusterConnection = {
  port: number
  password: string
  superuserPassword: string
  /** Real path of the data folder the cluster belongs to. */
  folder?: string
  /** Identifies the database in a WAL archive. A copy gets another one. */
  archiveId?: string
  /** The backup folder this copy was restored from while its original goes on. */
  copyOf?: string
}

/** Folders root uses when the unprivileged account cannot reach the project's own folder. */
const SHARED_ROOTS = ['/var/lib/embedded-postgres', '/opt/embedded-postgres']

const ALTERNATIVE = 'Set DATABASE_URL to use a PostgreSQL server of your own (14 or newer).'

/** Finds the PostgreSQL programs for this machine and the account to run `cluster` under. */
export function findPostgresInstallation(cluster: string, log: (line: string) => void): PostgresInstallation {
  const identity = choosePostgresAccount(cluster)
  if (identity) dropRoot(cluster, identity)
  const { native, version } = findPackage()
  const bin = join(identity ? reachableCopy(native, version, identity, log) : native, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0]!, identity }
}

/**
 * Options for spawning a PostgreSQL program: its account, and an environment reduced to what cannot change its
 * behaviour.
 */
export function postgresSpawnOptions(identity: Identity | undefined) {
  const env = process.platform === 'win32' ? process.env : { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  return { ...identity, env, cwd: identity ? '/' : undefined }
}

/**
 * Returns the folder new clusters are created in: `dataDir`, or a shared one where the database's account cannot enter
 * `dataDir`. Throws when a link to such a shared folder is broken.
 */
export function chooseClusterHome(
  dataDir: string,
  { identity }: PostgresInstallation,
  log: (line: string) => void,
): string {
  const link = join(dataDir, 'cluster')
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error(
      `The database was kept in ${readlinkSync(link)}, which is gone. Bring it back, or delete ${link} ` +
        'to begin with an empty database.',
    )
  }
  if (!identity || canEnterFolder(dataDir, identity)) return dataDir
  const home = join(sharedRoot(), 'clusters')
  createTraversableFolder(home)
  log(`Folder ${dataDir} cannot be entered by an unprivileged account; the database is kept in ${home}.`)
  return home
}

/** Creates a folder only the database's account may read. */
export function createPrivateFolder(path: string, identity: Identity | undefined) {
  mkdirSync(path, { mode: 0o700 })
  if (!identity) return
  try {
    chownSync(path, identity.uid, identity.gid)
  } catch (error) {
    rmSync(path, { recursive: true })
    throw new Error(
      'The database may not run as root, and this root may not hand files to another account. ' +
        `Start as an ordinary user. ${ALTERNATIVE}`,
      { cause: error },
    )
  }
}

/** Creates a folder that other accounts may pass through, whatever the umask; existing folders keep their mode. */
export function createTraversableFolder(path: string) {
  const first = mkdirSync(path, { recursive: true })
  if (!first || process.platform === 'win32') return
  for (let made = path; ; made = dirname(made)) {
    chmodSync(made, 0o755)
    if (made === first || made === dirname(made)) return
  }
}

/**
 * Moves a finished folder to its final path in one step, as a link where it is on another path. Returns false, and
 * deletes it, when another process was first.
 */
export function moveFolderIntoPlace(made: string, cluster: string): boolean {
  try {
    if (dirname(made) === dirname(cluster)) renameSync(made, cluster)
    else symlinkSync(made, cluster)
    return true
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    rmSync(made, { recursive: true, force: true })
    return false
  }
}

export function readClusterConnection(cluster: string) {
  return JSON.parse(readFileSync(join(cluster, 'connection.json'), 'utf8')) as ClusterConnection
}

export function writeClusterConnection(cluster: string, memo: ClusterConnection, place: PostgresInstallation) {
  const file = join(cluster, 'connection.json')
  writePrivateFile(`${file}.new`, JSON.stringify(memo), place)
  renameSync(`${file}.new`, file)
}

export function writePrivateFile(file: string, content: string, { identity }: Pick<PostgresInstallation, 'identity'>) {
  writeFileSync(file, content, { mode: 0o600 })
  if (identity) chownSync(file, identity.uid, identity.gid)
}

/**
 * Returns the account to run the cluster under: undefined for this process's own, the owner of the existing folder when
 * this process is root, else a system account. Throws when the folder belongs to somebody else.
 */
export function choosePostgresAccount(cluster: string): Identity | undefined {
  const self = process.getuid?.()
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (self !== undefined && self !== 0 && owner && owner.uid !== self) {
    throw new Error(`The database in ${cluster} belongs to account ${owner.uid}; start as that one or as root.`)
  }
  if (self !== 0) return undefined
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  return { uid: Number(account?.[2] ?? 65534), gid: Number(account?.[3] ?? 65534) }
}

/** Gives a cluster that belongs to root, such as a copy root made, to the account that runs it. */
function dropRoot(cluster: string, { uid, gid }: Identity) {
  if (statSync(cluster, { throwIfNoEntry: false })?.uid !== 0) return
  const inside = readdirSync(cluster, { recursive: true, encoding: 'utf8' })
  for (const name of inside) chownSync(join(cluster, name), uid, gid)
  chmodSync(cluster, 0o700)
  chownSync(cluster, uid, gid)
}

function findPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const fromBundle = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = fromBundle.resolve(name)
  } catch {
    throw new Error(`There is no bundled PostgreSQL for this machine (${name} is not installed). ${ALTERNATIVE}`)
  }
  const folder = dirname(dirname(realpathSync(entry)))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const native = join(folder, 'native')
  const program = join(native, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres')
  const probe = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (probe.status !== 0) {
    const why = probe.error?.message ?? probe.stderr.trim()
    throw new Error(
      `The bundled PostgreSQL does not run here: ${why}\n` +
        'It needs glibc, libstdc++ and the install script of its package ("npm ci" without --ignore-scripts). ' +
        ALTERNATIVE,
    )
  }
  return { native, version }
}

/** Returns a path of the programs the account can run: in place, or a copy made once per version. */
function reachableCopy(native: string, version: string, identity: Identity, log: (line: string) => void): string {
  if (canEnterFolder(join(native, 'bin'), identity)) return native
  const copy = join(sharedRoot(), version)
  if (existsSync(copy)) return copy
  log(`The database programs are copied to ${copy}, where an unprivileged account can run them.`)
  const staging = `${copy}.${randomBytes(4).toString('hex')}`
  cpSync(native, staging, { recursive: true, verbatimSymlinks: true })
  moveFolderIntoPlace(staging, copy)
  return copy
}

function sharedRoot(): string {
  for (const root of SHARED_ROOTS) {
    try {
      createTraversableFolder(root)
      accessSync(root, constants.W_OK)
      return root
    } catch {
      continue
    }
  }
  throw new Error(
    `The database may not run as root, and neither ${SHARED_ROOTS.join(' nor ')} can be written to give ` +
      `it a folder of its own. Start as an ordinary user, or move the project out of /root. ${ALTERNATIVE}`,
  )
}

/** Returns whether the account may enter the folder, by the mode bits of it and all its parents. */
export function canEnterFolder(folder: string, { uid, gid }: Identity): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { uid: owner, gid: group, mode } = statSync(path)
    const shift = owner === uid ? 6 : group === gid ? 3 : 0
    if (!((mode >> shift) & 1)) return false
    if (path === dirname(path)) return true
  }
}
