import { Image } from 'antd'
import { useState } from 'react'

/** Shows pictures in full size, one at a time, with zoom and rotation. */
export default function PicturePreview({
  links,
  start,
  onClose,
}: {
  links: string[]
  start: number
  onClose: () => void
}) {
  const [current, setCurrent] = useState(start)
  return (
    <Image.PreviewGroup
      items={links}
      preview={{ open: true, current, onChange: setCurrent, onOpenChange: (open) => !open && onClose() }}
    />
  )
}
