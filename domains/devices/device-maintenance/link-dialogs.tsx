import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Select } from 'antd'
import { useState } from 'react'
import { cashRegisterClientVersion, clientVersion } from '#domains/devices/device-registry/index.ts'
import { CommandSteps, rebootTargetsOfKind } from '#domains/devices/device-messaging/ui.ts'
import type { DeviceLinkRow } from '#domains/devices/device-messaging/web.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import './fleet.css'

type Props = { row: DeviceLinkRow; onClose: () => void }
type Choice = { value: string; label: string }
type AcceptedCommand = { cmdId: string }

const words = {
  reboot: { zh: '重启“{name}”', en: 'Restart “{name}”' },
  rebootGo: { zh: '重启', en: 'Restart' },
  rebootWhat: { zh: '重启什么', en: 'What to restart' },
  upgrade: { zh: '升级“{name}”', en: 'Upgrade “{name}”' },
  upgradeGo: { zh: '升级', en: 'Upgrade' },
  version: { zh: '版本', en: 'Version' },
  now: { zh: '当前版本 {version}', en: 'Current version {version}' },
  none: { zh: '没有已发布的版本', en: 'No published versions' },
}

const base = '/api/shop/basicShopInfo'

type AskProps = {
  title: string
  label: LocalizedText
  choices: readonly Choice[]
  first?: string
  note?: string
  go: LocalizedText
  run: (choice: string) => Promise<AcceptedCommand>
  onClose: () => void
}

/** Dialog with one choice and one button, which then shows the progress of the command. */
function AskDialog({ title, label, choices, first, note, go, run, onClose }: AskProps) {
  const t = useLocalize()
  const [choice, setChoice] = useState(first)
  const [acceptedId, setAcceptedId] = useState<string>()
  const [isRunning, setRunning] = useState(false)

  const ask = async () => {
    setRunning(true)
    try {
      setAcceptedId((await run(choice!)).cmdId)
    } catch {
      // The error is shown as a toast and the dialog stays open.
    } finally {
      setRunning(false)
    }
  }

  return (
    <Modal
      open
      title={title}
      width={460}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {t(acceptedId ? kit.close : kit.cancel)}
        </Button>,
        !acceptedId && (
          <Button key="go" type="primary" disabled={!choice} loading={isRunning} onClick={() => void ask()}>
            {t(go)}
          </Button>
        ),
      ]}
    >
      {acceptedId ? (
        <CommandSteps id={acceptedId} />
      ) : (
        <>
          <Select
            className="fleet-choice"
            aria-label={t(label)}
            placeholder={t(label)}
            options={[...choices]}
            value={choice}
            onChange={setChoice}
          />
          {note && <p className="kit-quiet">{note}</p>}
        </>
      )}
    </Modal>
  )
}

/** Dialog to restart a gateway, the devices attached to it, or a register. */
export function RebootDialog({ row, onClose }: Props) {
  const t = useLocalize()
  return (
    <AskDialog
      title={t(words.reboot, { name: row.name })}
      label={words.rebootWhat}
      choices={rebootTargetsOfKind(row.kind).map(({ key, ...label }) => ({ value: key, label: t(label) }))}
      first="1"
      go={words.rebootGo}
      run={(type) => apiGet<AcceptedCommand>(`${base}/reboot`, { clientId: row.clientId, type })}
      onClose={onClose}
    />
  )
}

/** Dialog to upgrade one device to a published version. */
export function UpgradeDialog({ row, onClose }: Props) {
  const t = useLocalize()
  const { path } = row.kind === 'register' ? cashRegisterClientVersion : clientVersion
  const { data } = useQuery({
    queryKey: ['list', path, 'published'],
    queryFn: () =>
      apiGet<{ records: { id: string; versionName: string }[] }>(`${path}/list`, {
        status: 1,
        size: 50,
        descs: 'versionCode',
      }),
  })
  const choices = (data?.records ?? []).map(({ id, versionName }) => ({ value: id, label: versionName }))
  const has = row.firmware ? t(words.now, { version: row.firmware }) : ''
  return (
    <AskDialog
      title={t(words.upgrade, { name: row.name })}
      label={words.version}
      choices={choices}
      note={data && !choices.length ? t(words.none) : has}
      go={words.upgradeGo}
      run={(versionId) =>
        apiPost<AcceptedCommand>(`${base}/upgrade`, { query: { clientId: row.clientId }, body: { versionId } })
      }
      onClose={onClose}
    />
  )
}
