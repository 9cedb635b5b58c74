import { Button, Drawer, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { Icon } from './icon.tsx'
import { useSay } from './language.tsx'
import { words } from './page-words.ts'
import { useTab } from './tab.ts'
import { useMay } from './use-may.ts'

const RowHistory = lazy(() => import('./row-history.tsx'))

/** On a row's own page: who changed what of it, in a drawer beside. Not there for a family without history, or for who may not look at rows. */
export function HistoryButton({ resource, id, size = 'large' }: { resource: Resource<any, any>, id: string, size?: 'large' | 'middle' }) {
  const say = useSay()
  const may = useMay(resource)
  const { active } = useTab()
  const [isOpen, setOpen] = useState(false)
  if (!resource.history || !may.view) return null
  return (
    <>
      <Button type="text" size={size} icon={<Icon name="history" />} onClick={() => setOpen(true)}>{say(words.history)}</Button>
      {isOpen && <Drawer open={active} title={say(words.history)} size={640} className="kit-drawer" onClose={() => setOpen(false)}><Suspense fallback={<Skeleton active />}><RowHistory resource={resource} id={id} /></Suspense></Drawer>}
    </>
  )
}
