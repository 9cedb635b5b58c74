/** Data of the status page. Counters start with their process. */
export type SystemStatus = {
  /** Processes of this machine only; other servers report their own. */
  processes: {
    pid: number
    role: 'only' | 'first' | 'lead' | 'serving'
    version: string
    node: string
    startedAt: string
    memory: number
    heap: number
    loopP50Ms: number
    loopP99Ms: number
    cpuSeconds: number
    live: number
    calls: number
    waiting: number
  }[]
  routes: {
    method: string
    route: string
    count: number
    failed: number
    p50: number
    p99: number
    databaseMs: number
    waitedMs: number
    totalMs: number
  }[]
  statements: { text: string; ms: number; runs: number; at: string; traceId: string }[]
  queues: {
    queue: string
    due: number
    later: number
    running: number
    failed: number
    oldestSeconds: number
    failure: string
  }[]
  tasks: { kind: string; state: string; count: number; oldestSeconds: number }[]
  database:
    | {
        version: string
        bytes: number
        connectionsMax: number
        connections: Record<string, number>
        oldestSeconds: number
        waitingForLocks: number
        standbys: { name: string; state: string | null; sync: string | null; behindBytes: number | null }[]
      }
    | undefined
  disk: { free: number; size: number }
  /** Fields are undefined or empty when unknown: without archive, BACKUP_DIR or devices. */
  installation: {
    version: string
    uptimeSeconds?: number
    /** Calls answered with 503 since the processes began. */
    comeAgain: number
    /** Calls answered with 429, from addresses that called too often. */
    tooMany: number
    archiveFailing?: number
    archiveLastSeconds?: number
    backupAgeSeconds?: number
    clockErrorSeconds?: number
    devices: Counted[]
    commands: Counted[]
  }
}

type Counted = { state: string; count: number }
