import { useState } from 'react'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { registerScreenshot } from './register-screenshot.resource.ts'
import { ViewScreenshotDialog, type RegisterScreenshotRow } from './screenshot-dialogs.tsx'

const { open } = registerScreenshot.actions

export default function RegisterScreenshotPage() {
  const mayOpen = useHasPermission('registerScreenshot_open')
  const [looking, setLooking] = useState<RegisterScreenshotRow>()
  return (
    <>
      <ResourcePage
        resource={registerScreenshot}
        page={{
          intro: {
            zh: '收银机屏幕的截屏：谁要的、为什么；查看要写明原因，到期自动删除',
            en:
              'Screenshots of register screens, with requester and reason. Viewing requires a reason. Old ones ' +
              'are deleted automatically.',
          },
          rowActions: (row) =>
            mayOpen ? [{ key: 'look', label: open.label, icon: open.icon, run: () => setLooking(row) }] : [],
          // The standard action would run without showing the picture.
          transformActions: (list) => list.filter(({ key }) => key !== 'open'),
        }}
      />
      {looking && <ViewScreenshotDialog picture={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}
