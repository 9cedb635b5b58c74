import { Button, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { CommandSteps } from '#domains/devices/device-messaging/ui.ts'
import { epaDevice } from './epa.resource.ts'
import { powerSwitchLabels } from './switch-words.ts'
import './power.css'

const words = {
  ask: {
    on: { zh: '{shop}的“{name}”马上通电', en: '“{name}” at {shop} is switched on immediately' },
    off: {
      zh: '{shop}的“{name}”马上断电，里面冷藏冷冻的商品会升温变质',
      en: '“{name}” at {shop} is switched off immediately. Chilled and frozen products inside will warm up and spoil.',
    },
  },
  until: { zh: '规则在此之前暂停', en: 'Schedules paused until' },
  next: { zh: '下次动作', en: 'Next switch' },
  hours: { zh: '{hours} 小时后', en: 'In {hours} h' },
}

const HOURS = [1, 4, 12]
const HOUR_MS = 3_600_000

/** Formats a moment as API times are written, in Shanghai time without a zone. */
const timeText = (ms: number) => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')

type Props = {
  device: { name: string; shopName: string; gatewayId: string; clientId: string; hasRules: boolean }
  opt: 'on' | 'off'
  onClose: () => void
}

/** Dialog that switches a device and then shows the steps of the command. */
export default function SwitchPowerDialog({ device, opt, onClose }: Props) {
  const t = useLocalize()
  const [hours, setHours] = useState(0)
  const [isAsking, setAsking] = useState(false)
  const [commandId, setCommandId] = useState<string>()
  const { gatewayId, clientId } = device

  const go = async () => {
    setAsking(true)
    const until = hours ? { until: timeText(Date.now() + hours * HOUR_MS) } : {}
    try {
      const query = { gatewayId, clientId, opt, wait: 'false', ...until }
      setCommandId((await apiPost<{ cmdId: string }>(`${epaDevice.path}/power`, { query })).cmdId)
    } catch {
      // The error is shown as a toast and the dialog stays open.
    } finally {
      setAsking(false)
    }
  }
  const label = t(powerSwitchLabels[opt])
  return (
    <Modal
      open
      width={440}
      title={`${device.name} · ${label}`}
      onCancel={onClose}
      footer={
        commandId ? (
          <Button onClick={onClose}>{t(kit.close)}</Button>
        ) : (
          [
            <Button key="cancel" autoFocus={opt === 'off'} onClick={onClose}>
              {t(kit.cancel)}
            </Button>,
            <Button key="go" type="primary" danger={opt === 'off'} loading={isAsking} onClick={() => void go()}>
              {label}
            </Button>,
          ]
        )
      }
    >
      {!commandId && <p className="kit-ask">{t(words.ask[opt], { shop: device.shopName, name: device.name })}</p>}
      {device.hasRules && !commandId && (
        <div className="power-until">
          <span>{t(words.until)}</span>
          <Segmented
            aria-label={t(words.until)}
            value={hours}
            onChange={setHours}
            options={[0, ...HOURS].map((value) => ({
              value,
              label: t(value ? words.hours : words.next, { hours: value }),
            }))}
          />
        </div>
      )}
      {commandId && <CommandSteps id={commandId} />}
    </Modal>
  )
}
