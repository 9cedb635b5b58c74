import { Button, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useKeyboardShortcut } from '#kit/web/base/keys.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { CaseActions } from './desk-acts.tsx'
import { CaseActionBar } from './desk-bar.tsx'
import { CaseFacts } from './desk-case.tsx'
import { CaseQueue } from './desk-queue.tsx'
import { DeskShopFilter } from './desk-shops.tsx'
import { words } from './desk-words.ts'
import { durationText } from './duration-text.ts'
import {
  useCaseAction,
  useCaseContext,
  useGuardDesk,
  type CaseActionRunner,
  type DeskCase,
  type DeskOverview,
} from './use-desk.ts'
import '#kit/web/base/kit.css'
import './guard.css'

const WatchDialog = lazy(() => import('./watch.panel.tsx'))

/** Desk for one person watching many shops: the queue of cases, the riskiest first, and the actions beside it. */
export default function DeskPage() {
  const t = useLocalize()
  const { data: desk, error, refetch } = useGuardDesk()
  if (!desk)
    return (
      <div className="kit-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton active paragraph={{ rows: 10 }} />
        )}
      </div>
    )
  return <DeskOf desk={desk} refetch={refetch} />
}

type DeskProps = { desk: DeskOverview; refetch: () => Promise<unknown> }

function DeskOf({ desk, refetch }: DeskProps) {
  const [shopId, setShop] = useState('')
  const shown = shopId ? desk.cases.filter((one) => one.shopId === shopId) : desk.cases
  const { current, choose, leave, focusAsked, askFocus } = useChosen(shown)
  const act = useCaseAction(refetch)
  const one = shown.find(({ id }) => id === current)
  const step = (by: number) => {
    const at = shown.findIndex(({ id }) => id === current)
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))]
    if (next) choose(next.id)
  }
  useKeyboardShortcut('j', words.next, () => step(1))
  useKeyboardShortcut('k', words.previous, () => step(-1))
  return (
    <div className="kit-page guard-desk" data-open={!!one}>
      <DeskHead desk={desk} refetch={refetch} />
      <DeskShopFilter desk={desk} value={shopId} onChange={setShop} />
      <div className="guard-columns">
        <CaseQueue
          cases={shown}
          current={current}
          userId={desk.userId}
          isNarrowed={!!shopId}
          onChoose={choose}
          focusAsked={focusAsked}
        />
        {one && <CaseOf key={one.id} one={one} desk={desk} act={act} onBack={leave} onDone={askFocus} />}
      </div>
      <News cases={desk.cases} />
    </div>
  )
}

/**
 * The case being worked on. On a wide screen there is always one, and the next follows when it has ended; on a phone
 * the user chooses.
 */
function useChosen(cases: readonly DeskCase[]) {
  const isWide = useScreenSize() >= 2
  const [query, setQuery] = useSearchParams()
  const [focusRequests, setFocusRequests] = useState(0)
  const chosen = query.get('case') ?? ''
  const held = useRef({ id: '', place: 0 })
  const placeOf = (id: string) => cases.findIndex((one) => one.id === id)
  // When a case ends, the one that moved into its place follows; new cases do not change the choice.
  const heir = () => cases[Math.min(held.current.place, cases.length - 1)]?.id ?? ''
  const kept = isWide ? (placeOf(held.current.id) >= 0 ? held.current.id : heir()) : ''
  const current = placeOf(chosen) >= 0 ? chosen : kept
  useEffect(() => {
    held.current = { id: current, place: Math.max(0, placeOf(current)) }
  })
  const choose = (id: string) => {
    setQuery({ case: id }, { replace: true })
    setFocusRequests((n) => n + 1)
  }
  return {
    current,
    choose,
    focusAsked: focusRequests,
    askFocus: () => setFocusRequests((n) => n + 1),
    leave: () => setQuery({}, { replace: true }),
  }
}

type CaseProps = { one: DeskCase; desk: DeskOverview; act: CaseActionRunner; onBack: () => void; onDone: () => void }

function CaseOf({ one, desk, act, onBack, onDone }: CaseProps) {
  const t = useLocalize()
  const { data: context } = useCaseContext(one)
  return (
    <>
      <article className="guard-case" aria-label={one.kindName}>
        <Button className="guard-back" icon={<Icon name="left" />} onClick={onBack}>
          {t(words.back)}
        </Button>
        <CaseFacts one={one} beside={context} />
        <CaseActionBar one={one} userId={desk.userId} act={act} onDone={onDone} />
      </article>
      <aside className="guard-side">
        <CaseActions one={one} beside={context} act={act} />
      </aside>
    </>
  )
}

/** Head of the desk: today's figures and the user's shift. */
function DeskHead({ desk, refetch }: DeskProps) {
  const t = useLocalize()
  const { waiting, taken, done, p95 } = desk.figures
  const [isOpen, setOpen] = useState(false)
  const mayWatch = useHasPermission('guardShift_begin')
  useKeyboardShortcut('w', words.watch, () => mayWatch && setOpen(true))

  const figure = (label: LocalizedText, value: string | number, isBad = false) => (
    <span className="guard-figure" data-bad={isBad}>
      <b className="kit-number">{value}</b> {t(label)}
    </span>
  )

  return (
    <header className="guard-top">
      <div className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
      </div>
      <div className="guard-figures">
        {figure(words.waiting, waiting, waiting > 0)}
        {figure(words.taken, taken)}
        {figure(words.done, done)}
        {p95 !== '' && figure(words.p95, t(durationText(p95)))}
      </div>
      {mayWatch && (
        <Button
          type={desk.shift ? 'default' : 'primary'}
          icon={<Icon name={desk.shift ? 'logout' : 'login'} />}
          onClick={() => setOpen(true)}
        >
          {t(desk.shift ? words.end : words.begin)}
          <kbd>w</kbd>
        </Button>
      )}
      <Suspense>
        {isOpen && (
          <WatchDialog
            shift={desk.shift}
            onClose={() => {
              setOpen(false)
              void refetch()
            }}
          />
        )}
      </Suspense>
    </header>
  )
}

/** Announces new and automatically ended cases to screen readers. */
function News({ cases }: { cases: readonly DeskCase[] }) {
  const t = useLocalize()
  const before = useRef<readonly DeskCase[]>(cases)
  const [text, setText] = useState('')
  useEffect(() => {
    const known = new Set(before.current.map(({ id }) => id))
    const came = cases.filter(({ id }) => !known.has(id))
    const here = new Set(cases.map(({ id }) => id))
    const gone = before.current.filter(({ id }) => !here.has(id))
    before.current = cases
    const news = [
      ...came.map((one) => t(words.came, { what: `${one.shopName} ${one.kindName}` })),
      ...gone.map((one) => t(words.gone, { what: `${one.shopName} ${one.kindName}` })),
    ]
    if (news.length) setText(news.slice(0, 3).join(' '))
  }, [cases, t])
  return (
    <p className="kit-hidden" aria-live="polite">
      {text}
    </p>
  )
}
