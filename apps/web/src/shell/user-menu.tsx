import { App, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { loadSession, logout, refreshTokens, useSession } from '#kit/web/session/session.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import type { ChosenDepartmentAndRole } from '../login/place-dialog.tsx'
import { useShellTranslation } from '../words/index.ts'
import { HOME_PATH } from './tabs.ts'
import { useConfirmUnsavedLeave } from './use-leave.ts'

const PlaceDialog = lazy(() =>
  import('../login/place-dialog.tsx').then((part) => ({ default: part.ChooseDepartmentRoleDialog })),
)

/** Menu of the signed-in user, with the actions about their own account. */
export function UserMenu({ onKeys }: { onKeys: () => void }) {
  const t = useShellTranslation()
  const user = useSession((session) => session.user)
  const [switching, setSwitching] = useState(false)
  const change = usePlaceChange(() => setSwitching(false))
  const menu = useUserActions(onKeys, () => setSwitching(true))
  const name = user?.realName || user?.nickName || user?.account || ''
  return (
    <>
      <Dropdown autoFocus trigger={['click']} placement="bottomRight" menu={menu}>
        <button type="button" className="top-user" aria-label={`${t('user')}: ${name}`}>
          <img src={user?.avatar || '/avatar.svg'} alt="" width="28" height="28" />
          <span>{name}</span>
          <Icon name="down" />
        </button>
      </Dropdown>
      <Suspense>{switching && <PlaceDialog userId={user?.userId} onClose={(place) => void change(place)} />}</Suspense>
    </>
  )
}

/** Returns a function that continues the session in another department or role. */
function usePlaceChange(onClose: () => void) {
  const navigate = useNavigate()
  return async (place: ChosenDepartmentAndRole | undefined) => {
    onClose()
    if (!place) return
    try {
      await refreshTokens(place)
      await loadSession()
      void navigate(HOME_PATH)
    } catch {
      // The error was shown as a toast; the reason for an ended session is shown on the sign-in page.
    }
  }
}

function useUserActions(onKeys: () => void, onSwitch: () => void): MenuProps {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const leaving = useConfirmUnsavedLeave()
  const ask = () =>
    void modal.confirm({
      title: t('logout.ask'),
      content: t('logout.why'),
      okText: t('logout'),
      onOk: logout,
    })
  const actions: Record<string, () => void> = {
    home: () => void navigate(HOME_PATH),
    info: () => void navigate('/info/index'),
    switch: () => leaving(undefined, onSwitch),
    keys: onKeys,
    logout: () => leaving(undefined, ask),
  }
  return {
    items: [
      { key: 'home', label: t('user.dashboard'), icon: <Icon name="dashboard" /> },
      { key: 'info', label: t('user.info'), icon: <Icon name="idcard" /> },
      ...(webSettings.switchMode
        ? [{ key: 'switch', label: t('user.switch'), icon: <Icon name="user-switch" /> }]
        : []),
      { key: 'keys', label: t('keys'), icon: <Icon name="control" /> },
      { type: 'divider' },
      { key: 'logout', label: t('logout'), icon: <Icon name="logout" /> },
    ],
    onClick: ({ key }) => actions[key]?.(),
  }
}
