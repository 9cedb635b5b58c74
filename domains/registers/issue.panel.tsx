import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { cashRegister } from './cash-register.resource.ts'
import './registers.css'

type Row = WireRow<typeof cashRegister>

const words = {
  issue: { zh: '签发密钥', en: 'Issue credentials' },
  renew: { zh: '更换密钥', en: 'Rotate credentials' },
  askFirst: { zh: '为“{name}”签发密钥?', en: 'Issue credentials to "{name}"?' },
  askAgain: { zh: '为“{name}”更换密钥?', en: 'Give "{name}" new credentials?' },
  once: { zh: '密钥只显示一次，请准备好填入收银机。', en: 'They are shown once: have the register at hand.' },
  old: {
    zh: '旧密钥 24 小时后失效，期间收银机照常工作。',
    en: 'The old ones work for another 24 hours, so that the register goes on selling.',
  },
  shown: { zh: '现在抄录或复制，关闭后无法再次查看', en: 'Copy them now: closed, they cannot be seen again' },
  address: { zh: '服务器地址', en: 'Server address' },
  sn: { zh: '序列号（用户名）', en: 'Serial number (user name)' },
  secret: { zh: '密钥（密码）', en: 'Secret (password)' },
  copy: { zh: '复制', en: 'Copy' },
  kept: { zh: '我已保存密钥', en: 'I have kept the secret' },
} satisfies Record<string, Words>

type Credentials = { sn: string; secret: string }

/** Issues or rotates the credentials of a register and shows them, once. */
export default function IssueDialog({ register, onClose }: { register: Row; onClose: () => void }) {
  const [made, setMade] = useState<Credentials>()
  return made ? (
    <Shown register={register} made={made} onClose={onClose} />
  ) : (
    <Question register={register} onMade={setMade} onClose={onClose} />
  )
}

type PartProps = { register: Row; onClose: () => void }

const isAgain = (register: Row) => Boolean(register.keyIssuedTime)
const titleOf = (register: Row) => (isAgain(register) ? words.renew : words.issue)

function Question({ register, onMade, onClose }: PartProps & { onMade: (made: Credentials) => void }) {
  const say = useSay()
  const renew = useRenew()
  const [isRunning, setRunning] = useState(false)
  const title = say(titleOf(register))
  const go = async () => {
    if (isRunning) return
    setRunning(true)
    try {
      onMade(await post<Credentials>(`${cashRegister.path}/issue`, { query: { id: register.id } }))
      void renew(cashRegister)
    } catch {
      // Shown as a toast; the question stays.
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
          {say(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" autoFocus loading={isRunning} onClick={() => void go()}>
          {title}
        </Button>,
      ]}
    >
      <p className="kit-ask">{say(isAgain(register) ? words.askAgain : words.askFirst, { name: register.name })}</p>
      <p className="kit-quiet">
        {say(words.once)}
        {isAgain(register) && ` ${say(words.old)}`}
      </p>
    </Modal>
  )
}

/** Stays until somebody says that the secret is kept: it is shown this once. */
function Shown({ register, made, onClose }: PartProps & { made: Credentials }) {
  const say = useSay()
  const [isKept, setKept] = useState(false)
  return (
    <Modal
      open
      title={`${say(titleOf(register))} · ${String(register.name)}`}
      width={560}
      mask={{ closable: false }}
      keyboard={isKept}
      closable={isKept}
      onCancel={onClose}
      footer={
        <Button type="primary" disabled={!isKept} onClick={onClose}>
          {say(kit.close)}
        </Button>
      }
    >
      <div className="register-secret">
        <Alert type="warning" showIcon title={say(words.shown)} />
        <dl>
          <Secret label={say(words.address)} text={location.origin} />
          <Secret label={say(words.sn)} text={made.sn} />
          <Secret label={say(words.secret)} text={made.secret} />
        </dl>
        <Checkbox checked={isKept} onChange={(event) => setKept(event.target.checked)}>
          {say(words.kept)}
        </Checkbox>
      </div>
    </Modal>
  )
}

function Secret({ label, text }: { label: string; text: string }) {
  const say = useSay()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(say(kit.copied))
    } catch {
      // Plain http gives no clipboard: choose the text, so that the keyboard can copy it.
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
          {say(words.copy)}
        </Button>
      </dd>
    </div>
  )
}
