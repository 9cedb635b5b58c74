import { Alert, Button } from 'antd'
import { mocked } from '#kit/web/session/mock-mode.ts'
import { leave } from '#kit/web/session/session.ts'
import { setStored } from '#kit/web/storage.ts'
import { useT } from '../words/index.ts'

/** Says what mock mode is, and ends it. Without mock mode there is nothing to test here. */
export default function MockModePage() {
  const t = useT()
  function end() {
    setStored('mock', false)
    leave()
    location.assign('/login?mock=0')
  }
  return (
    <div className="plain-page">
      <header>
        <h1>{t('mock')}</h1>
      </header>
      <Alert
        type={mocked() ? 'warning' : 'info'}
        showIcon
        title={t(mocked() ? 'mock.on' : 'mock.off')}
        description={t('mock.why')}
        action={mocked() && <Button onClick={end}>{t('mock.end')}</Button>}
      />
    </div>
  )
}
