import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { useKeyboardShortcut } from '#kit/web/base/keys.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { CommandSteps } from '#domains/devices/device-messaging/ui.ts'
import { doorOfShopCall } from './door-routes.calls.ts'
import { doorTopic } from './topics.ts'
import './doors.css'

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

type Doors = NonNullable<CallAnswerOf<typeof doorOfShopCall>['of']>
type Door = Doors['doors'][number]

const words = {
  doors: { zh: '门', en: 'Doors' },
  door: { zh: '{doorNo} 号门', en: 'Door {doorNo}' },
  open: { zh: '开门', en: 'Open' },
  more: { zh: '更多', en: 'More' },
  away: { zh: '网关离线，以下是最后一次上报', en: 'The gateway is offline. This is its last report.' },
  never: { zh: '还没有上报', en: 'Not reported yet' },
  until: { zh: '到 {time}', en: 'until {time}' },
  sure: { zh: '确定对“{shop}”的 {doorNo} 号门执行“{what}”？', en: '{what}: door {doorNo} at {shop}?' },
  force: {
    zh: '会结束常开并立即上锁，即使店内有人。',
    en: 'Ends a hold-open and locks immediately, even if someone is inside.',
  },
  again: {
    zh: '再次确认：店内可能有人，仍要强制关闭“{shop}”的 {doorNo} 号门？',
    en: 'Confirm again: someone may be inside. Force door {doorNo} at {shop} closed anyway?',
  },
} satisfies Record<string, LocalizedText>

const contacts: Record<Door['contact'], LocalizedText> = {
  open: { zh: '开着', en: 'Open' },
  closed: { zh: '关着', en: 'Closed' },
  unknown: { zh: '不知开关', en: 'Unknown' },
}
const locks: Record<Door['lock'], LocalizedText | undefined> = {
  locked: { zh: '已上锁', en: 'locked' },
  unlocked: { zh: '未上锁', en: 'unlocked' },
  fault: { zh: '门锁故障', en: 'Lock fault' },
  unknown: undefined,
}
const modes: Record<Door['mode'], LocalizedText | undefined> = {
  normal: undefined,
  keepOpen: { zh: '常开', en: 'held open' },
  keepClose: { zh: '常闭', en: 'kept closed' },
}

const HOUR_SECONDS = 3600
/** Actions on a door. Each asks for confirmation, against accidental taps. */
const acts = {
  open: { label: words.open, opt: 'open' },
  close: { label: { zh: '关门', en: 'Close' }, opt: 'close' },
  hold: { label: { zh: '常开 1 小时', en: 'Hold open for 1 hour' }, opt: 'hold', durationSec: HOUR_SECONDS },
  holdOn: { label: { zh: '常开，直到恢复', en: 'Hold open until released' }, opt: 'hold' },
  keepClosed: { label: { zh: '常闭', en: 'Keep closed' }, opt: 'keepClosed' },
  release: { label: { zh: '恢复正常', en: 'Release' }, opt: 'release' },
  forceClose: { label: { zh: '强制关门', en: 'Force closed' } },
} satisfies Record<string, { label: LocalizedText; opt?: string; durationSec?: number }>
type Act = keyof typeof acts

/** Formats a moment as API times are written, in Shanghai time without a zone. */
const timeText = (ms: number) => new Date(ms + 8 * HOUR_SECONDS * 1000).toISOString().slice(0, 19).replace('T', ' ')

const LOOK_MS = 10_000

/** Shows a shop's doors as last reported, with the age of that. Pressing `openKey` asks to open the first door. */
export default function ShopDoorsPanel({ shopId, openKey }: { shopId: string; openKey?: string }) {
  const t = useLocalize()
  const mayControl = useHasPermission('doorControlLog_control')
  const maySee = useHasPermission('doorControlLog_view')
  const { data, refetch } = useQuery({
    queryKey: ['detail', 'door', shopId],
    queryFn: () => callApi(doorOfShopCall, { shopId }, { quiet: true }),
    enabled: mayControl || maySee,
    refetchInterval: LOOK_MS,
  })
  useLiveRefetch(doorTopic, refetch)
  const of = data?.of
  if (!of) return null
  return (
    <section className="doors-of-shop">
      <h3>{t(words.doors)}</h3>
      {!of.online && <Alert type="warning" showIcon message={t(words.away)} />}
      {of.doors.map((door, at) => (
        <DoorCard key={`${of.clientId}/${door.doorNo}`} door={door} of={of} openKey={at ? undefined : openKey} />
      ))}
    </section>
  )
}

function DoorCard({ door, of, openKey }: { door: Door; of: Doors; openKey?: string }) {
  const t = useLocalize()
  const mayControl = useHasPermission('doorControlLog_control')
  const mayForce = useHasPermission('doorControlLog_forceClose')
  const [commandId, setCommandId] = useState<string>()
  const [refusal, setRefusal] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [act, setAct] = useState<Act>()
  const { doorNo } = door

  const ask = async (call: string, more: object) => {
    setAsking(true)
    setRefusal('')
    setCommandId(undefined)
    const body = { clientId: of.clientId, doorNo, wait: false, ...more }
    try {
      const { cmdId } = await apiPost<{ cmdId: string }>(`/api/shop/door/${call}`, { body }, { quiet: true })
      setCommandId(cmdId)
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.msg : String(error))
    } finally {
      setAsking(false)
    }
  }

  return (
    <div className="door-card">
      <DoorState door={door} of={of} />
      {mayControl && (
        <div className="door-acts">
          {openKey && <OpenKey keys={openKey} run={() => setAct('open')} />}
          <Button
            type="primary"
            size="large"
            block
            loading={isAsking}
            icon={<Icon name="unlock" />}
            onClick={() => setAct('open')}
          >
            {t(words.open)}
            {openKey && <kbd>{openKey}</kbd>}
          </Button>
          <Dropdown
            autoFocus
            trigger={['click']}
            menu={{ items: itemsOf(t, mayForce), onClick: ({ key }) => setAct(key as Act) }}
          >
            <Button size="large" icon={<Icon name="more" />} aria-label={t(words.more)} />
          </Dropdown>
        </div>
      )}
      {refusal && <Alert type="error" showIcon message={refusal} role="alert" />}
      {commandId && <CommandSteps key={commandId} id={commandId} />}
      {act && <SureOf key={act} act={act} of={of} doorNo={doorNo} ask={ask} onClose={() => setAct(undefined)} />}
    </div>
  )
}

function OpenKey({ keys, run }: { keys: string; run: () => void }) {
  useKeyboardShortcut(keys, words.open, run)
  return null
}

const itemsOf = (t: (words: LocalizedText) => string, mayForce: boolean) =>
  (Object.keys(acts) as Act[])
    .filter((key) => key !== 'open' && (mayForce || key !== 'forceClose'))
    .map((key) => ({ key, label: t(acts[key].label), danger: key === 'forceClose' }))

function DoorState({ door, of }: { door: Door; of: Doors }) {
  const t = useLocalize()
  const { doorNo, contact, lock, mode, keepUntil } = door
  const known = [contacts[contact], locks[lock], modes[mode]].filter((one) => one !== undefined)
  return (
    <p className="door-state" data-contact={contact} data-stale={of.stale}>
      <i />
      <strong>{t(words.door, { doorNo })}</strong>
      <span>{known.map((one) => t(one)).join(' · ')}</span>
      {keepUntil !== undefined && mode !== 'normal' && (
        <span>{t(words.until, { time: timeText(keepUntil).slice(11, 16) })}</span>
      )}
      <span className="kit-quiet">{of.ts === undefined ? t(words.never) : <RelativeTime at={timeText(of.ts)} />}</span>
    </p>
  )
}

type Sure = {
  act: Act
  of: Doors
  doorNo: number
  ask: (call: string, more: object) => Promise<void>
  onClose: () => void
}

/** Confirmation dialog that names the shop and the door. A forced closing, which may lock somebody in, asks twice. */
function SureOf({ act, of, doorNo, ask, onClose }: Sure) {
  const t = useLocalize()
  const shop = of.shopName ?? ''
  const [isSecond, setSecond] = useState(false)
  const { label, ...more } = acts[act]
  const isForce = act === 'forceClose'
  const text = t(words.sure, { what: t(label), shop, doorNo })
  return (
    <Suspense>
      {isForce && !isSecond ? (
        <ConfirmDialog
          key="first"
          title={label}
          text={`${text} ${t(words.force)}`}
          danger
          success={null}
          run={async () => setSecond(true)}
          onClose={(isDone) => !isDone && onClose()}
        />
      ) : (
        <ConfirmDialog
          key="last"
          title={label}
          text={isForce ? t(words.again, { shop, doorNo }) : text}
          danger={isForce}
          success={null}
          run={() => ask(isForce ? 'focusClose' : 'doorControl', more)}
          onClose={onClose}
        />
      )}
    </Suspense>
  )
}
