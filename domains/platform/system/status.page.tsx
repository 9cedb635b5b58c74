import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { SystemStatus } from './status.ts'
import { statusPageWords as words } from './status-words.ts'
import '#kit/web/base/kit.css'
import './status.css'

const AGAIN_MS = 15_000

/** Shows slow routes and statements, waiting jobs, and the state of machine and database; for the platform only. */
export default function SystemStatusPage() {
  const t = useLocalize()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['system-status'],
    queryFn: ({ signal }) => apiGet<SystemStatus>('/api/blade-system/status', undefined, { quiet: true, signal }),
    refetchInterval: AGAIN_MS,
    retry: false,
  })
  return (
    <div className="kit-page system-status">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
        <Button icon={<Icon name="reload" />} loading={isFetching} onClick={() => void refetch()}>
          {t(words.again)}
        </Button>
      </header>
      {error && !data && <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />}
      {!error && !data && <span className="kit-skeleton" />}
      {data && <Parts status={data} />}
    </div>
  )
}

function Parts({ status }: { status: SystemStatus }) {
  return (
    <>
      <Figures {...status} />
      <Installation {...status.installation} />
      <Queues {...status} />
      <Routes {...status} />
      <Statements {...status} />
      <Processes {...status} />
    </>
  )
}

const BACKUP_SECONDS = 36 * 3600
const CLOCK_SECONDS = 5

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']
function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${(bytes / 1000 ** step).toFixed(step > 2 ? 1 : 0)} ${UNITS[step]}`
}

const count = (value: number) => value.toLocaleString('en-US')
const millis = (ms: number) => (ms < 1000 ? `${ms < 10 ? ms : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

function useSpan() {
  const t = useLocalize()
  return (seconds: number) =>
    seconds < 120
      ? t(words.seconds, { count: Math.round(seconds) })
      : seconds < 7200
        ? t(words.minutes, { count: Math.round(seconds / 60) })
        : seconds < 259_200
          ? t(words.hours, { count: Math.round(seconds / 3600) })
          : t(words.days, { count: Math.round(seconds / 86_400) })
}

/** Seconds from which an open transaction is marked: the product's own never last so long. */
const LONG_SECONDS = 60
const FULL_SHARE = 0.1

function Figures({ database, disk, processes }: SystemStatus) {
  const t = useLocalize()
  const span = useSpan()
  const sum = (of: 'live' | 'waiting') => processes.reduce((total, one) => total + one[of], 0)
  const { connections = {}, connectionsMax = 0, oldestSeconds = 0, waitingForLocks = 0 } = database ?? {}
  const connected = Object.values(connections).reduce((total, one) => total + one, 0)

  return (
    <ul className="status-figures">
      <Figure label={words.live} value={count(sum('live'))} note={t(words.liveNote)} />
      <Figure
        label={words.waiting}
        value={count(sum('waiting'))}
        note={t(words.waitingNote)}
        bad={sum('waiting') > 0}
      />
      <Figure
        label={words.database}
        value={database ? sizeOf(database.bytes) : '—'}
        note={`PostgreSQL ${database?.version ?? ''}`}
      />
      <Figure
        label={words.connections}
        value={`${connected} / ${connectionsMax}`}
        note={t(words.connectionsNote, { active: connections.active ?? 0, locks: waitingForLocks })}
        bad={connected > connectionsMax * (1 - FULL_SHARE) || waitingForLocks > 0}
      />
      <Figure
        label={words.oldest}
        value={span(oldestSeconds)}
        note={t(words.oldestNote)}
        bad={oldestSeconds > LONG_SECONDS}
      />
      <Figure
        label={words.disk}
        value={sizeOf(disk.free)}
        note={t(words.diskNote, { size: sizeOf(disk.size) })}
        bad={disk.free < disk.size * FULL_SHARE}
      />
      {database?.standbys.map(({ name, state, sync, behindBytes }) => (
        <Figure
          key={name}
          label={words.standby}
          value={name}
          note={t(words.standbyNote, {
            state: [state, sync].filter(Boolean).join(', '),
            behind: behindBytes === null ? '?' : sizeOf(behindBytes),
          })}
          bad={state !== 'streaming'}
        />
      ))}
    </ul>
  )
}

/** Figures on the installation's operation, each with a warning before it becomes a problem. */
function Installation(from: SystemStatus['installation']) {
  const t = useLocalize()
  const span = useSpan()
  const { uptimeSeconds = 0, archiveFailing, archiveLastSeconds, backupAgeSeconds, clockErrorSeconds = 0 } = from

  const of = (counted: typeof from.devices) => counted.reduce((total, one) => total + one.count, 0)
  const online = of(from.devices.filter(({ state }) => state === 'online'))
  const done = of(from.commands.filter(({ state }) => state === 'done'))
  const undone = from.commands.filter(({ state }) => state !== 'done')
  const stateOf = (state: string) => t(words[`command_${state}` as 'command_failed'] ?? { zh: state, en: state })

  return (
    <ul className="status-figures">
      <Figure label={words.uptime} value={span(uptimeSeconds)} note={t(words.versionNote, from)} />
      <Figure
        label={words.archive}
        value={
          archiveFailing === undefined
            ? t(words.archiveOff)
            : t(archiveFailing ? words.archiveFailing : words.archiveWell)
        }
        note={archiveLastSeconds === undefined ? '—' : t(words.archiveNote, { span: span(archiveLastSeconds) })}
        bad={!!archiveFailing}
      />
      <Figure
        label={words.backup}
        value={backupAgeSeconds === undefined ? '—' : span(backupAgeSeconds)}
        note={t(backupAgeSeconds === undefined ? words.backupNone : words.backupNote)}
        bad={(backupAgeSeconds ?? 0) > BACKUP_SECONDS}
      />
      <Figure
        label={words.clock}
        value={`${clockErrorSeconds.toFixed(1)} s`}
        note={t(words.clockNote)}
        bad={Math.abs(clockErrorSeconds) >= CLOCK_SECONDS}
      />
      <Figure
        label={words.devices}
        value={`${count(online)} / ${count(of(from.devices))}`}
        note={t(words.devicesNote)}
      />
      <Figure
        label={words.commands}
        value={`${count(done)} / ${count(of(from.commands))}`}
        note={
          undone.map(({ state, count: number }) => `${stateOf(state)} ${count(number)}`).join(' · ') ||
          t(words.commandsNote)
        }
      />
      <Figure label={words.comeAgain} value={count(from.comeAgain)} note={t(words.comeAgainNote)} />
      <Figure label={words.tooMany} value={count(from.tooMany)} note={t(words.tooManyNote)} />
    </ul>
  )
}

function Figure({
  label,
  value,
  note,
  bad = false,
}: {
  label: LocalizedText
  value: string
  note: string
  bad?: boolean
}) {
  const t = useLocalize()
  return (
    <li className="status-card">
      <span className="kit-quiet">{t(label)}</span>
      <strong className={bad ? 'kit-number kit-bad' : 'kit-number'}>
        {bad && <Icon name="exclamation-circle" />} {value}
      </strong>
      <small className="kit-quiet">{note}</small>
    </li>
  )
}

type Column<R> = { label: LocalizedText; cell: (row: R) => React.ReactNode; left?: boolean }

function Rows<R>({
  title,
  note,
  none,
  rows,
  keyOf,
  columns,
  isStacked,
}: {
  title: LocalizedText
  note: LocalizedText
  none: LocalizedText
  rows: readonly R[]
  keyOf: (row: R) => string
  columns: readonly Column<R>[]
  /** On a phone, shows each row as a block with its long last column at the bottom. */
  isStacked?: boolean
}) {
  const t = useLocalize()
  const sideOf = ({ left }: Column<R>) => (left ? undefined : 'status-right')
  return (
    <section className="status-card">
      <h2>
        {t(title)} <small className="kit-quiet">{t(note)}</small>
      </h2>
      {!rows.length && <p className="kit-quiet">{t(none)}</p>}
      {rows.length > 0 && (
        <div
          className={`status-scroll${isStacked ? ' status-stacked' : ''}`}
          role="region"
          aria-label={t(title)}
          tabIndex={0}
        >
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.label.en} scope="col" className={sideOf(column)}>
                    {t(column.label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map((column) => (
                    <td key={column.label.en} className={sideOf(column)} data-label={t(column.label)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const marked = (value: number, text = count(value)) => <span className={value ? 'kit-bad' : 'kit-quiet'}>{text}</span>

function Queues({ queues, tasks }: SystemStatus) {
  const span = useSpan()
  const t = useLocalize()
  return (
    <>
      <Rows
        title={words.queues}
        note={words.queuesNote}
        none={words.noQueues}
        rows={queues}
        keyOf={({ queue }) => queue}
        columns={[
          { label: words.queue, cell: ({ queue }) => <code className="kit-mono">{queue}</code>, left: true },
          { label: words.due, cell: ({ due }) => count(due) },
          { label: words.oldestDue, cell: ({ due, oldestSeconds }) => (due ? span(oldestSeconds) : '—') },
          { label: words.running, cell: ({ running }) => count(running) },
          { label: words.later, cell: ({ later }) => count(later) },
          { label: words.failedDay, cell: ({ failed }) => marked(failed) },
          { label: words.failure, cell: ({ failure }) => failure || '—', left: true },
        ]}
      />
      {tasks.length > 0 && (
        <Rows
          title={words.tasks}
          note={words.tasksNote}
          none={words.noQueues}
          rows={tasks}
          keyOf={({ kind, state }) => `${kind} ${state}`}
          columns={[
            { label: words.task, cell: ({ kind }) => t(kind === 'import' ? words.import : words.export), left: true },
            { label: words.state, cell: ({ state }) => t(words[`state_${state}` as 'state_failed']), left: true },
            { label: words.number, cell: (row) => (row.state === 'failed' ? marked(row.count) : count(row.count)) },
            { label: words.since, cell: ({ oldestSeconds }) => span(oldestSeconds) },
          ]}
        />
      )}
    </>
  )
}

function Routes({ routes }: SystemStatus) {
  return (
    <Rows
      title={words.routes}
      note={words.routesNote}
      none={words.noRoutes}
      rows={routes}
      keyOf={({ method, route }) => `${method} ${route}`}
      columns={[
        {
          label: words.route,
          cell: ({ method, route }) => (
            <code className="kit-mono">
              {method} {route}
            </code>
          ),
          left: true,
        },
        { label: words.calls, cell: (row) => count(row.count) },
        { label: words.p50, cell: ({ p50 }) => millis(p50) },
        { label: words.p99, cell: ({ p99 }) => millis(p99) },
        { label: words.databaseEach, cell: ({ databaseMs }) => millis(databaseMs) },
        { label: words.waitedEach, cell: ({ waitedMs }) => millis(waitedMs) },
        { label: words.failed5, cell: ({ failed }) => marked(failed) },
      ]}
    />
  )
}

function Statements({ statements }: SystemStatus) {
  return (
    <Rows
      title={words.statements}
      note={words.statementsNote}
      none={words.noStatements}
      isStacked
      rows={statements}
      keyOf={({ text }) => text}
      columns={[
        { label: words.slowest, cell: ({ ms }) => millis(ms) },
        { label: words.runs, cell: ({ runs }) => count(runs) },
        { label: words.at, cell: ({ at }) => <RelativeTime at={at} />, left: true },
        { label: words.trace, cell: ({ traceId }) => <code className="kit-mono">{traceId || '—'}</code>, left: true },
        {
          label: words.statement,
          cell: ({ text }) => <code className="kit-mono status-text">{text}</code>,
          left: true,
        },
      ]}
    />
  )
}

function Processes({ processes }: SystemStatus) {
  const t = useLocalize()
  return (
    <Rows
      title={words.processes}
      note={words.processesNote}
      none={words.noRoutes}
      rows={processes}
      keyOf={({ pid }) => String(pid)}
      columns={[
        { label: words.pid, cell: ({ pid }) => pid },
        { label: words.role, cell: ({ role }) => t(words[`role_${role}`]), left: true },
        { label: words.started, cell: ({ startedAt }) => <RelativeTime at={startedAt} />, left: true },
        { label: words.memory, cell: ({ memory }) => sizeOf(memory) },
        { label: words.heap, cell: ({ heap }) => sizeOf(heap) },
        { label: words.loop, cell: ({ loopP50Ms, loopP99Ms }) => `${millis(loopP50Ms)} / ${millis(loopP99Ms)}` },
        { label: words.cpu, cell: ({ cpuSeconds }) => `${count(Math.round(cpuSeconds))} s` },
        { label: words.calls, cell: ({ calls }) => count(calls) },
        { label: words.live, cell: ({ live }) => count(live) },
        { label: words.version, cell: ({ version, node }) => [version, node].filter(Boolean).join(' · '), left: true },
      ]}
    />
  )
}
