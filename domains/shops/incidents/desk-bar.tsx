import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useKeyboardShortcut } from '#kit/web/base/keys.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { CaseOutcomeForm } from './desk-finish.tsx'
import { words } from './desk-words.ts'
import { GUARD_CASE_STATE } from './dictionaries.ts'
import type { CaseActionRunner, DeskCase } from './use-desk.ts'

const HandOverDialog = lazy(() => import('./hand-over.panel.tsx'))

type Props = { one: DeskCase; userId: string; act: CaseActionRunner; onDone: () => void }
type CaseAction = 'claim' | 'finish' | 'release' | 'handOver'

/** Which actions the user may do with a case in its present state. */
function usePossibleActions({ one, userId }: Props): Record<CaseAction, boolean> {
  const mayClaim = useHasPermission('guardCase_claim')
  const mayHandOver = useHasPermission('guardCase_handOver')
  const isMine = one.takerId === userId
  const isFree = one.status === GUARD_CASE_STATE.waiting
  return {
    claim: mayClaim && isFree,
    finish: mayClaim && (isFree || isMine) && !one.refundId,
    release: mayClaim && isMine,
    handOver: mayHandOver && isMine,
  }
}

/** Bar with the actions of a case: take, finish, release, hand over; at the bottom on phones. */
export function CaseActionBar(props: Props) {
  const { one, act, onDone } = props
  const t = useLocalize()
  const can = usePossibleActions(props)
  const [mode, setMode] = useState<'finish' | 'handOver'>()
  const [isSending, setSending] = useState(false)

  const close = () => {
    setMode(undefined)
    onDone()
  }
  const run = async (name: CaseAction, body: object = {}) => {
    setSending(true)
    const answer = await act(name, { id: one.id, ...body })
    setSending(false)
    if (!answer) return
    if (name === 'finish') toast.success(t(words.finished))
    close()
  }

  const begin: Record<CaseAction, () => void> = {
    claim: () => void run('claim'),
    finish: () => setMode('finish'),
    release: () => void run('release'),
    handOver: () => setMode('handOver'),
  }
  const go = (name: CaseAction) => can[name] && !isSending && begin[name]()

  useKeyboardShortcut('e', words.claim, () => go('claim'))
  useKeyboardShortcut('s', words.finish, () => go('finish'))
  useKeyboardShortcut('u', words.release, () => go('release'))
  useKeyboardShortcut('h', words.handOver, () => go('handOver'))

  if (mode === 'finish' && can.finish)
    return (
      <footer className="guard-bar">
        <CaseOutcomeForm
          isSending={isSending}
          onFinish={(outcome, remark) => void run('finish', { outcome, remark })}
          onCancel={close}
        />
      </footer>
    )

  return (
    <footer className="guard-bar">
      <ActionButtons can={can} isSending={isSending} go={go} />
      <Button
        size="large"
        className="guard-jump"
        onClick={() => document.querySelector('.guard-side')?.scrollIntoView({ block: 'start' })}
      >
        {t(one.refundId ? words.refund : words.shopActs)}
      </Button>
      <Suspense>
        {mode === 'handOver' && <HandOverDialog onClose={close} onGive={(userId) => run('handOver', { userId })} />}
      </Suspense>
    </footer>
  )
}

const KEYS: Record<CaseAction, string> = { claim: 'e', finish: 's', release: 'u', handOver: 'h' }

type ActionButtonsProps = { can: Record<CaseAction, boolean>; isSending: boolean; go: (name: CaseAction) => unknown }

/** Buttons of the possible actions; the first one is the primary button. */
function ActionButtons({ can, isSending, go }: ActionButtonsProps) {
  const t = useLocalize()
  const offered = (Object.keys(KEYS) as CaseAction[]).filter((name) => can[name])
  return offered.map((name, at) => (
    <Button
      key={name}
      size="large"
      type={at ? 'default' : 'primary'}
      disabled={isSending}
      onClick={() => void go(name)}
    >
      {t(words[name])}
      <kbd>{KEYS[name]}</kbd>
    </Button>
  ))
}
