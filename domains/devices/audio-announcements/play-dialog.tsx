import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import { CommandSteps } from '#domains/devices/device-messaging/ui.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { type ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { audioConfPlayCall } from './announcements.calls.ts'
import type { audioConf } from './audio-conf.resource.ts'

type Row = WireRow<typeof audioConf>

const words = {
  title: { zh: '播放“{name}”', en: 'Play “{name}”' },
  where: { zh: '在哪里播放', en: 'Play on' },
  own: { zh: '{shop}的网关', en: 'Gateway at {shop}' },
  play: { zh: '播放', en: 'Play' },
  again: { zh: '再播一次', en: 'Play again' },
}

/** Plays an announcement now, in its own shop or through another gateway, and shows what becomes of it. */
export function PlayAnnouncementDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useLocalize()
  const maySeeLinks = useHasPermission('deviceLink_view')
  const [place, setPlace] = useState<{ id: string; code: string }>()
  const { cmdId, problem, isAsking, play } = usePlaying(row, place?.code)
  const own = t(words.own, { shop: String(row.shopName ?? '') })

  return (
    <Modal
      open
      title={t(words.title, { name: String(row.name) })}
      width={480}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {t(kit.close)}
        </Button>,
        <Button
          key="play"
          type="primary"
          icon={<Icon name="play-circle" />}
          loading={isAsking}
          onClick={() => void play()}
        >
          {t(cmdId ? words.again : words.play)}
        </Button>,
      ]}
    >
      <div className="announcement-play">
        <p className="kit-ask">{String(row.text)}</p>
        <label htmlFor="announcement-where">{t(words.where)}</label>
        {maySeeLinks ? (
          <RowPicker
            id="announcement-where"
            to="deviceLink"
            filter={{ kind: 'gateway' }}
            placeholder={own}
            value={place?.id ?? ''}
            onChange={(id, [option]) => setPlace(id ? { id, code: String(option?.code ?? '') } : undefined)}
          />
        ) : (
          <p id="announcement-where">{own}</p>
        )}
        {problem && <Alert type="error" showIcon title={problem} />}
        {cmdId && <CommandSteps id={cmdId} />}
      </div>
    </Modal>
  )
}

function usePlaying(row: Row, gbId: string | undefined) {
  const [cmdId, setCmdId] = useState('')
  const [problem, setProblem] = useState('')
  const [isAsking, setAsking] = useState(false)
  const play = async () => {
    setAsking(true)
    setProblem('')
    setCmdId('')
    try {
      const accepted = await callApi(audioConfPlayCall, { id: String(row.id), ...(gbId && { gbId }) }, { quiet: true })
      setCmdId(accepted.cmdId ?? '')
    } catch (reason) {
      setProblem((reason as ApiError).message)
    } finally {
      setAsking(false)
    }
  }
  return { cmdId, problem, isAsking, play }
}
