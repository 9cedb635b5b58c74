import { Alert, Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { apiPost } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import './gateways.css'

const words = {
  issue: { zh: '签发密钥', en: 'Issue credentials' },
  renew: { zh: '更换密钥', en: 'Rotate credentials' },
  askFirst: { zh: '为“{name}”签发密钥？', en: 'Issue credentials for “{name}”?' },
  askAgain: { zh: '为“{name}”更换密钥？', en: 'Rotate the credentials of “{name}”?' },
  once: { zh: '密钥只显示一次，请准备好填入设备。', en: 'The credentials are shown only once. Have the device ready.' },
  old: {
    zh: '旧密钥 24 小时后失效，期间设备照常工作。',
    en: 'The old credentials work for another 24 hours. The device keeps running meanwhile.',
  },
  shown: {
    zh: '现在抄录或复制，关闭后无法再次查看',
    en: 'Copy them now. They cannot be viewed again after you close this.',
  },
  copy: { zh: '复制', en: 'Copy' },
  kept: { zh: '我已保存密钥', en: 'I saved the credentials' },
} satisfies Record<string, LocalizedText>

/** A value to enter in the device, with its label. */
export type DeviceSecretLine = { label: LocalizedText; text: string }

type Props<Made> = {
  /** Name of the device. */
  name: string
  /** Whether it replaces earlier credentials. */
  isAgain: boolean
  /** API path that issues the credentials. */
  path: string
  /** Id of the row they are for. */
  id: string
  lines: (made: Made) => DeviceSecretLine[]
  onMade: () => void
  onClose: () => void
}

/** Issues or rotates a device's credentials and shows them, once. */
export function IssueDeviceSecretDialog<Made>(props: Props<Made>) {
  const [made, setMade] = useState<Made>()
  return made ? <Shown {...props} lines={props.lines(made)} /> : <Question {...props} onIssued={setMade} />
}

const titleOf = (isAgain: boolean) => (isAgain ? words.renew : words.issue)

function Question<Made>({
  name,
  isAgain,
  path,
  id,
  onMade,
  onClose,
  onIssued,
}: Props<Made> & { onIssued: (made: Made) => void }) {
  const t = useLocalize()
  const [isRunning, setRunning] = useState(false)
  const title = t(titleOf(isAgain))

  const go = async () => {
    if (isRunning) return
    setRunning(true)
    try {
      onIssued(await apiPost<Made>(path, { query: { id } }))
      onMade()
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
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" autoFocus loading={isRunning} onClick={() => void go()}>
          {title}
        </Button>,
      ]}
    >
      <p className="kit-ask">{t(isAgain ? words.askAgain : words.askFirst, { name })}</p>
      <p className="kit-quiet">
        {t(words.once)}
        {isAgain && ` ${t(words.old)}`}
      </p>
    </Modal>
  )
}

type ShownProps = { name: string; isAgain: boolean; lines: DeviceSecretLine[]; onClose: () => void }

/**
 * Shows the credentials. They cannot be shown again, so the dialog closes only after the user confirms to have saved
 * them.
 */
function Shown({ name, isAgain, lines, onClose }: ShownProps) {
  const t = useLocalize()
  const [isKept, setKept] = useState(false)
  return (
    <Modal
      open
      title={`${t(titleOf(isAgain))} · ${name}`}
      width={560}
      keyboard={isKept}
      closable={isKept}
      onCancel={onClose}
      footer={
        <Button type="primary" disabled={!isKept} onClick={onClose}>
          {t(kit.close)}
        </Button>
      }
    >
      <div className="secret-shown">
        <Alert type="warning" showIcon title={t(words.shown)} />
        <dl>
          {lines.map(({ label, text }) => (
            <Secret key={label.en} label={t(label)} text={text} />
          ))}
        </dl>
        <Checkbox checked={isKept} onChange={(event) => setKept(event.target.checked)}>
          {t(words.kept)}
        </Checkbox>
      </div>
    </Modal>
  )
}

function Secret({ label, text }: { label: string; text: string }) {
  const t = useLocalize()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(t(kit.copied))
    } catch {
      // There is no clipboard without HTTPS: selects the text instead, for the keyboard.
      const code = document.querySelector(`code[data-secret="${CSS.escape(label)}"]`)
      if (code) getSelection()?.selectAllChildren(code)
    }
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code data-secret={label}>{text}</code>
        <Button icon={<Icon name="copy" />} onClick={() => void copy()}>
          {t(words.copy)}
        </Button>
      </dd>
    </div>
  )
}
