import { Alert, Button, Modal, Progress, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import type { PracticeTenant } from './simulation-snapshot.ts'
import { words } from './simulation-words.ts'

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

type NewTenantCredentials = { tenantId: string; account: string; password: string }
const SHOWN = ['tenantId', 'account', 'password'] as const
const LENGTHS = [2, 4, 10, 30]
const DAY = 24 * 60

/** Panel to create, play and remove practice tenants. */
export function PracticeTenantsPanel({ practice, onChanged }: { practice: PracticeTenant[]; onChanged: () => void }) {
  const t = useLocalize()
  const [made, setMade] = useState<NewTenantCredentials>()
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<PracticeTenant>()

  const make = async () => {
    setMaking(true)
    try {
      setMade(await apiPost<NewTenantCredentials>('/api/street/practice'))
      onChanged()
    } catch {
      // The error was shown as a toast.
    } finally {
      setMaking(false)
    }
  }

  return (
    <section className="simulation-part">
      <header>
        <h2>{t(words.practice)}</h2>
        <Button type="primary" icon={<Icon name="plus" />} loading={isMaking} onClick={() => void make()}>
          {t(words.make)}
        </Button>
      </header>
      {practice.length ? (
        <ul className="simulation-list">
          {practice.map((one) => (
            <PracticeRow key={one.tenantId} practice={one} onLeave={() => setLeaving(one)} onChanged={onChanged} />
          ))}
        </ul>
      ) : (
        <p className="kit-quiet">{t(words.none)}</p>
      )}
      {made && <PracticeMade made={made} onClose={() => setMade(undefined)} />}
      <Suspense>
        {leaving && (
          <ConfirmDialog
            title={words.removeTitle}
            text={t(words.removeText, { name: leaving.tenantName })}
            danger
            success={words.removing}
            run={() => apiPost('/api/street/remove', { body: { tenantId: leaving.tenantId } })}
            onClose={() => {
              setLeaving(undefined)
              onChanged()
            }}
          />
        )}
      </Suspense>
    </section>
  )
}

type RowProps = { practice: PracticeTenant; onLeave: () => void; onChanged: () => void }

function PracticeRow({ practice: { tenantId, tenantName, isGoing, day }, onLeave, onChanged }: RowProps) {
  const t = useLocalize()
  const [minutes, setMinutes] = useState(4)
  const isPlaying = !!day && !day.isOver
  const play = () =>
    apiPost('/api/street/play', { body: { tenantId, minutes } }).then(onChanged, () => {
      // The error was shown as a toast.
    })

  return (
    <li className="simulation-practice">
      <div className="simulation-name">
        <strong>{tenantName}</strong>
        <CopyableText text={tenantId} />
      </div>
      {isGoing ? (
        <span role="status">{t(words.going)}</span>
      ) : (
        <>
          <div className="simulation-day" role="status">
            {day && (
              <>
                <span className="kit-number">{day.isOver ? t(words.over) : timeOf(day.minute)}</span>
                <Progress percent={Math.round((day.minute / DAY) * 100)} showInfo={false} size="small" />
              </>
            )}
          </div>
          <div className="simulation-buttons">
            <Select
              aria-label={t(words.length)}
              value={minutes}
              disabled={isPlaying}
              onChange={setMinutes}
              options={LENGTHS.map((n) => ({ value: n, label: t(words.minutes, { n }) }))}
            />
            <Button icon={<Icon name="play-circle" />} disabled={isPlaying} onClick={() => void play()}>
              {t(isPlaying ? words.playing : words.play)}
            </Button>
            <Button danger icon={<Icon name="delete" />} onClick={onLeave}>
              {t(words.remove)}
            </Button>
          </div>
        </>
      )}
    </li>
  )
}

/** Formats the minute of the simulated day as "HH:mm". */
const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

function PracticeMade({ made, onClose }: { made: NewTenantCredentials; onClose: () => void }) {
  const t = useLocalize()
  return (
    <Modal
      open
      title={t(words.made)}
      width={460}
      onCancel={onClose}
      footer={
        <Button type="primary" autoFocus onClick={onClose}>
          {t(kit.close)}
        </Button>
      }
    >
      <Alert className="kit-note" type="warning" showIcon title={t(words.once)} />
      <dl className="kit-facts">
        {SHOWN.map((key) => (
          <div key={key} className="kit-fact kit-fact-wide">
            <dt>{t(words[key])}</dt>
            <dd>
              <CopyableText text={made[key]} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
