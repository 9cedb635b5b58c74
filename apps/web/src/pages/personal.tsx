import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Skeleton, Tabs } from 'antd'
import { useRef, useState } from 'react'
import { apiGet, apiPost, apiUpload } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { SessionList } from '#kit/web/session/session-list.tsx'
import { updateSessionUser, md5 } from '#kit/web/session/session.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useShellTranslation } from '../words/index.ts'
import { findAvatarProblem } from './avatar.ts'

type Profile = {
  id: string
  account: string
  avatar: string
  name: string
  realName: string
  phone: string
  email: string
}
type Passwords = { oldPassword: string; newPassword: string; newPassword1: string }

/** Page for the user's own data and password. */
export default function MyProfilePage() {
  const t = useShellTranslation()
  const profile = useQuery({ queryKey: ['own-profile'], queryFn: () => apiGet<Profile>('/api/blade-user/info') })
  return (
    <div className="plain-page personal">
      <Tabs
        items={[
          {
            key: 'info',
            label: t('info.profile'),
            children: profile.data ? (
              <ProfileForm profile={profile.data} />
            ) : (
              <Skeleton active avatar paragraph={{ rows: 5 }} />
            ),
          },
          { key: 'password', label: t('info.password'), children: <PasswordForm /> },
          {
            key: 'sessions',
            label: t('info.sessions'),
            children: (
              <SessionList
                name="own"
                load={() => apiGet('/api/blade-user/session/own', undefined, { quiet: true })}
                end={(sid) => apiPost('/api/blade-user/session/end-own', { body: { ...(sid && { sid }) } })}
              />
            ),
          },
        ]}
      />
    </div>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const t = useShellTranslation()
  const queries = useQueryClient()
  const [avatar, setAvatar] = useState(profile.avatar)
  const [busy, setBusy] = useState(false)

  async function save(values: Partial<Profile>) {
    setBusy(true)
    try {
      await apiPost('/api/blade-user/update-info', { body: { ...values, id: profile.id, avatar } })
      const { name, realName } = values
      const names = { ...(name !== undefined && { nickName: name }), ...(realName !== undefined && { realName }) }
      updateSessionUser({ avatar, ...names })
      await queries.invalidateQueries({ queryKey: ['own-profile'] })
      toast.success(t('info.saved'))
    } catch {
      // The refusal was shown as a toast.
    } finally {
      setBusy(false)
    }
  }

  return (
    <Form<Profile>
      layout="vertical"
      requiredMark={false}
      initialValues={profile}
      onFinish={(values) => void save(values)}
      scrollToFirstError={{ focus: true }}
    >
      <AvatarInput value={avatar} onChange={setAvatar} />
      <Form.Item label={t('info.account')} htmlFor="info-account">
        <Input id="info-account" value={profile.account} disabled />
      </Form.Item>
      <Form.Item name="realName" label={t('info.realName')}>
        <Input maxLength={20} autoComplete="name" />
      </Form.Item>
      <Form.Item
        name="name"
        label={t('info.name')}
        rules={[{ required: true, whitespace: true, message: t('info.name.required') }]}
      >
        <Input maxLength={20} autoComplete="nickname" />
      </Form.Item>
      <Form.Item
        name="phone"
        label={t('info.phone')}
        rules={[{ pattern: /^\d{11}$/, message: t('info.phone.format') }]}
      >
        <Input inputMode="tel" maxLength={11} autoComplete="tel-national" />
      </Form.Item>
      <Form.Item name="email" label={t('info.email')} rules={[{ type: 'email', message: t('info.email.format') }]}>
        <Input inputMode="email" maxLength={45} autoComplete="email" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save')}
      </Button>
    </Form>
  )
}

function AvatarInput({ value, onChange }: { value: string; onChange: (link: string) => void }) {
  const t = useShellTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  async function send(file: File | undefined) {
    if (!file) return
    const problem = findAvatarProblem(file)
    if (problem) return toast.error(t(problem))
    setBusy(true)
    try {
      const { link } = await apiUpload<{ link: string }>('/api/blade-resource/oss/endpoint/put-file', file)
      onChange(link)
    } catch {
      // The refusal was shown as a toast.
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="avatar-input">
      <img src={value || '/avatar.svg'} alt={t('info.avatar')} width="72" height="72" />
      <div>
        <Button icon={<Icon name="camera" />} loading={busy} onClick={() => input.current?.click()}>
          {t('info.avatar.change')}
        </Button>
        <p>{t('info.avatar.help')}</p>
      </div>
      <input
        ref={input}
        type="file"
        style={{ display: 'none' }}
        accept="image/png,image/jpeg"
        aria-label={t('info.avatar.change')}
        onChange={(event) => {
          void send(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}

function PasswordForm() {
  const t = useShellTranslation()
  const [form] = Form.useForm<Passwords>()
  const rules = usePasswordRules()
  const { save, busy } = usePasswordChange(() => form.resetFields())
  return (
    <Form<Passwords> form={form} layout="vertical" requiredMark={false} onFinish={(values) => void save(values)}>
      <Form.Item name="oldPassword" label={t('info.old')} rules={[{ required: true, message: t('info.old.required') }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="newPassword"
        label={t('info.new')}
        extra={rules}
        rules={[{ required: true, message: t('info.new.required') }]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="newPassword1"
        label={t('info.confirm')}
        dependencies={['newPassword']}
        rules={[
          { required: true, message: t('info.confirm.required') },
          ({ getFieldValue }) => ({
            validator: (_, value) =>
              !value || value === getFieldValue('newPassword')
                ? Promise.resolve()
                : Promise.reject(new Error(t('info.confirm.differs'))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('info.password')}
      </Button>
    </Form>
  )
}

/** Returns a line with the rules for passwords; undefined until loaded. */
function usePasswordRules() {
  const t = useShellTranslation()
  const { data } = useQuery({
    queryKey: ['password-rules'],
    queryFn: () =>
      apiGet<{ length: number; kinds: number }>('/api/blade-user/password-rules', undefined, { quiet: true }),
  })
  if (!data) return undefined
  const kinds = data.kinds > 1 && t('info.rule.kinds', { kinds: data.kinds })
  return [t('info.rule.length', { length: data.length }), kinds].filter(Boolean).join(' · ')
}

function usePasswordChange(onChanged: () => void) {
  const t = useShellTranslation()
  const [busy, setBusy] = useState(false)

  async function save({ oldPassword, newPassword, newPassword1 }: Passwords) {
    setBusy(true)
    try {
      await apiPost('/api/blade-user/update-password', {
        body: {
          oldPassword: md5(oldPassword),
          newPassword: md5(newPassword),
          newPassword1: md5(newPassword1),
          newPlain: newPassword,
        },
      })
      onChanged()
      toast.success(t('info.password.changed'))
    } catch {
      // The refusal was shown as a toast.
    } finally {
      setBusy(false)
    }
  }
  return { save, busy }
}
