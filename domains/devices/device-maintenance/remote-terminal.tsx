import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import { remoteOutputTopic } from './topics.ts'
import './fleet.css'

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

const words = {
  over: { zh: '会话已结束', en: 'The session has ended' },
  watching: { zh: '您在旁观，由 {operator} 操作', en: 'You are watching. {operator} is in control.' },
  lost: {
    zh: '会话已由 {operator} 接管，您现在只能旁观',
    en: '{operator} took over the session. You can only watch now.',
  },
  take: { zh: '接管', en: 'Take over' },
  takeSure: {
    zh: '接管后 {operator} 只能旁观，并会收到通知；接管会记入会话日志',
    en: '{operator} can only watch after you take over and is notified. The session log records it.',
  },
  label: { zh: '远程终端', en: 'Remote terminal' },
  exit: { zh: '退出码 {code}', en: 'exit code {code}' },
}

type Item = {
  seq: number
  cmd: string
  state: 'running' | 'done' | 'failed'
  exitCode: number | null
  stdout: string
  stderr: string
  message: string
}
type Result = {
  state: string
  isMine: boolean
  isLost: boolean
  mayTake: boolean
  operator: string
  cwd: string
  items: Item[]
}

const base = '/api/shop/basicShopInfo'
const LOOK_MS = 2_000
const PROMPT = '$ '
const CLEAR = '\r\u001b[K'

/** What the terminal has already shown: the typed line, and how much output of each command. */
type DisplayedOutput = {
  line: string
  isBusy: boolean
  isTyping: boolean
  items: Map<number, { out: number; err: number; isOver: boolean }>
}

const lines = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** Writes new commands and output of a session to the terminal. */
function writeNewOutput(
  terminal: Terminal,
  shown: DisplayedOutput,
  { items, isMine, state }: Result,
  exit: (code: number) => string,
): void {
  for (const item of items) {
    let known = shown.items.get(item.seq)
    if (!known) {
      terminal.write(`${CLEAR}${PROMPT}${item.cmd}\r\n`)
      shown.items.set(item.seq, (known = { out: 0, err: 0, isOver: false }))
    }
    if (known.isOver) continue
    terminal.write(lines(item.stdout.slice(known.out)))
    terminal.write(lines(item.stderr.slice(known.err)))
    Object.assign(known, { out: item.stdout.length, err: item.stderr.length, isOver: item.state !== 'running' })
    if (item.message) terminal.write(`\r\n${item.message}\r\n`)
    else if (item.exitCode) terminal.write(`\r\n${exit(item.exitCode)}\r\n`)
  }
  shown.isBusy = items.some((item) => item.state === 'running')
  const mayType = isMine && state === 'open' && !shown.isBusy
  if (mayType && !shown.isTyping) terminal.write(`\r\n${PROMPT}${shown.line}`)
  shown.isTyping = mayType
}

/** Handles a key or pasted text. Returns the line when Enter was pressed on one that is not empty. */
function takeKey(terminal: Terminal, shown: DisplayedOutput, data: string): string | undefined {
  if (data.startsWith('\u001b')) return undefined
  if (data === '\u0003') shown.line = ''
  else if (data === '\u007f') shown.line = [...shown.line].slice(0, -1).join('')
  else if (data !== '\r') shown.line += data.replaceAll(/[\r\n].*$/gs, '').replaceAll(/\p{Cc}/gu, '')
  // What is typed before the prompt is kept and shown with it.
  if (!shown.isTyping) return undefined
  terminal.write(`${CLEAR}${PROMPT}${shown.line}`)
  return data === '\r' && shown.line.trim() ? shown.line.trim() : undefined
}

/** Banner for people who watch: who operates the session, and a button to take it over. */
function Watching({ sessionId, seen, onTaken }: { sessionId: string; seen: Result; onTaken: () => void }) {
  const t = useLocalize()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { operator, isLost, mayTake } = seen
  return (
    <>
      <Alert
        className="remote-watching"
        type={isLost ? 'warning' : 'info'}
        showIcon
        title={t(isLost ? words.lost : words.watching, { operator })}
        action={mayTake && <Button onClick={() => setConfirmOpen(true)}>{t(words.take)}</Button>}
      />
      <Suspense>
        {isConfirmOpen && (
          <ConfirmDialog
            title={words.take}
            text={t(words.takeSure, { operator })}
            success={null}
            run={() => apiPost(`${base}/takeSession`, { query: { sessionId } })}
            onClose={(isDone) => {
              setConfirmOpen(false)
              if (isDone) onTaken()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

/** Terminal of a session: the operator types, others watch. */
export function RemoteTerminal({ sessionId }: { sessionId: string }) {
  const t = useLocalize()
  const place = useRef<HTMLDivElement>(null)
  const hand = useRef<{ terminal: Terminal; shown: DisplayedOutput }>(null)
  const { data, refetch } = useQuery({
    queryKey: ['detail', 'remoteSession', 'terminal', sessionId],
    queryFn: () => apiGet<Result>(`${base}/cmdResult`, { sessionId }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data && !['opening', 'open'].includes(state.data.state) ? false : LOOK_MS),
  })
  useLiveEvents(remoteOutputTopic, ({ id }) => id === sessionId && void refetch())

  useEffect(() => {
    const element = place.current!
    const terminal = new Terminal({
      cols: Math.max(30, Math.floor(element.clientWidth / 8.5)),
      rows: 24,
      fontSize: 13,
      cursorBlink: true,
      screenReaderMode: true,
    })
    const shown: DisplayedOutput = { line: '', isBusy: false, isTyping: false, items: new Map() }
    terminal.open(element)
    terminal.onData((key) => {
      const cmd = takeKey(terminal, shown, key)
      if (!cmd) return
      shown.line = ''
      shown.isTyping = false
      // A refusal is shown as a toast; the refetch brings the prompt back.
      void apiPost(`${base}/cmd`, { body: { sessionId, cmd } }).then(
        () => refetch(),
        () => refetch(),
      )
    })
    terminal.focus()
    hand.current = { terminal, shown }
    return () => {
      hand.current = null
      terminal.dispose()
    }
  }, [sessionId, refetch])

  useEffect(() => {
    if (data && hand.current)
      writeNewOutput(hand.current.terminal, hand.current.shown, data, (code) => t(words.exit, { code }))
  }, [data, t])

  const isOver = data && !['opening', 'open'].includes(data.state)
  return (
    <section aria-label={t(words.label)}>
      <div className="remote-terminal" ref={place} />
      {isOver && <p className="kit-quiet">{t(words.over)}</p>}
      {data && !isOver && !data.isMine && <Watching sessionId={sessionId} seen={data} onTaken={() => void refetch()} />}
    </section>
  )
}
