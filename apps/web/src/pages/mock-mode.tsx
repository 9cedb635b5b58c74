import { Alert, Button } from 'antd'
import { isMockMode } from '#kit/web/session/mock-mode.ts'
import { clearSession } from '#kit/web/session/session.ts'
import { setStoredValue } from '#kit/web/base/storage.ts'
import { useShellTranslation } from '../words/index.ts'

/** Page that explains mock mode and can end it. */
export default function MockModePage() {
  const t = useShellTranslation()
  function end() {
    setStoredValue('mock', false)
    clearSession()
    location.assign('/login?mock=0')
  }
  return (
    <div className="plain-page">
      <header>
        <h1>{t('mock')}</h1>
      </header>
      <Alert
        type={isMockMode() ? 'warning' : 'info'}
        showIcon
        title={t(isMockMode() ? 'mock.on' : 'mock.off')}
        description={t('mock.why')}
        action={isMockMode() && <Button onClick={end}>{t('mock.end')}</Button>}
      />
    </div>
  )
}
