import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { deviceCommand } from './device-command.resource.ts'
import { commandStepTopic } from './command-topic.ts'
import './gateways.css'

const words = {
  asked: { zh: '已提交', en: 'Submitted' },
  sent: { zh: '已发送', en: 'Sent' },
  taken: { zh: '设备已接收', en: 'Accepted by device' },
  done: { zh: '设备报告完成', en: 'Reported done' },
  seen: { zh: '现场已确认', en: 'Verified on site' },
  waits: { zh: '设备离线，上线后执行', en: 'The device is offline. The command runs when it reconnects.' },
  refused: { zh: '已拒绝', en: 'Rejected' },
  failed: { zh: '执行失败', en: 'Failed' },
  expired: { zh: '已过期，设备没有执行', en: 'Expired. The device did not run it.' },
  canceled: { zh: '已被新的指令取代', en: 'Replaced by a newer command' },
  unknown: {
    zh: '没有确认：可能已执行，请查看现场状态',
    en: 'Not confirmed. It may have run. Check the status on site.',
  },
  progress: { zh: '{step} {percent}%', en: '{step} {percent}%' },
  after: { zh: '{seconds} 秒后', en: 'after {seconds} s' },
  under: { zh: '{name}', en: '{name}' },
}

export type CommandProgress = {
  id: string
  method: string
  title: string
  state: 'asked' | 'sent' | 'taken' | 'done' | 'refused' | 'failed' | 'expired' | 'canceled' | 'unknown'
  message: string | null
  result: Record<string, unknown> | null
  step: string | null
  percent: number | null
  asked: number
  sent: number | null
  taken: number | null
  ended: number | null
  seen: number | null
  expires: number | null
  linkName: string | null
  linkState: string | null
  now: number
}

const OPEN = ['asked', 'sent', 'taken']
const LOOK_MS = 1_500

/**
 * Returns a command with its progress. Refetches when an event announces a new state, and at intervals while the
 * command is open.
 */
export function useCommandProgress(id: string): CommandProgress | undefined {
  const language = useLanguage()
  const { data, refetch } = useQuery({
    queryKey: ['detail', deviceCommand.name, language, 'steps', id],
    queryFn: () => apiGet<CommandProgress>(`${deviceCommand.path}/steps`, { id }, { quiet: true }),
    refetchInterval: ({ state }) => (!state.data || OPEN.includes(state.data.state) ? LOOK_MS : false),
  })
  useLiveEvents(commandStepTopic, (step) => {
    if (step.id === id) void refetch()
  })
  return data
}

type Step = { key: keyof typeof words; at: number | null; tone?: 'good' | 'bad' | 'warn' | 'wait'; note?: string }

/**
 * Lists the steps so far with their times. "Done" appears only once the device has reported it, "confirmed" only once a
 * sensor, a new start or a version has shown it.
 */
function stepsOf(command: CommandProgress): Step[] {
  const { state, message } = command
  const steps: Step[] = [{ key: 'asked', at: command.asked }]
  if (command.sent) steps.push({ key: 'sent', at: command.sent })
  else if (state === 'asked' && command.linkState !== 'online') steps.push({ key: 'waits', at: null, tone: 'wait' })
  if (command.taken) steps.push({ key: 'taken', at: command.taken })
  if (state === 'done') steps.push({ key: 'done', at: command.ended, tone: 'good' })
  if (state === 'refused' || state === 'failed')
    steps.push({ key: state, at: command.ended, tone: 'bad', ...(message && { note: message }) })
  if (state === 'expired' || state === 'canceled') steps.push({ key: state, at: command.ended, tone: 'warn' })
  if (state === 'unknown') steps.push({ key: 'unknown', at: command.ended, tone: 'warn' })
  if (command.seen) steps.push({ key: 'seen', at: command.seen, tone: 'good' })
  return steps
}

/** The steps of one command with their times, live. */
export function CommandSteps({ id }: { id: string }) {
  const t = useLocalize()
  const command = useCommandProgress(id)
  if (!command) return <p className="kit-quiet">…</p>
  const isOpen = OPEN.includes(command.state)
  return (
    <section className="command-steps" aria-live="polite">
      <p>
        <strong>{command.title}</strong> <span className="kit-quiet">{command.linkName}</span>
      </p>
      <ol>
        {stepsOf(command).map(({ key, at, tone, note }) => (
          <li key={key} data-tone={tone}>
            <span>{t(words[key])}</span>
            {at !== null && at > command.asked && (
              <span className="kit-quiet">{t(words.after, { seconds: ((at - command.asked) / 1000).toFixed(1) })}</span>
            )}
            {note && <span>{note}</span>}
          </li>
        ))}
        {isOpen && (
          <li data-tone="wait">
            <Icon name="loading" />
            {command.step && <span>{t(words.progress, { step: command.step, percent: command.percent ?? 0 })}</span>}
          </li>
        )}
      </ol>
    </section>
  )
}
