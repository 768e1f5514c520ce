import type { LucideIcon } from 'lucide-react'
import Archive from 'lucide-react/icons/archive'
import Banknote from 'lucide-react/icons/banknote'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChartColumn from 'lucide-react/icons/chart-column'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Clock from 'lucide-react/icons/clock'
import FileText from 'lucide-react/icons/file-text'
import Globe from 'lucide-react/icons/globe'
import GraduationCap from 'lucide-react/icons/graduation-cap'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import Mail from 'lucide-react/icons/mail'
import MapSign from 'lucide-react/icons/map'
import MessageCircle from 'lucide-react/icons/message-circle'
import Stethoscope from 'lucide-react/icons/stethoscope'
import Users from 'lucide-react/icons/users'
import Wrench from 'lucide-react/icons/wrench'

/** The glyphs of services, by name. */
export const glyphs: Readonly<Record<string, LucideIcon>> = {
  'heart-pulse': HeartPulse,
  stethoscope: Stethoscope,
  'calendar-days': CalendarDays,
  clock: Clock,
  banknote: Banknote,
  'chart-column': ChartColumn,
  archive: Archive,
  'file-text': FileText,
  'clipboard-list': ClipboardList,
  mail: Mail,
  'message-circle': MessageCircle,
  users: Users,
  'graduation-cap': GraduationCap,
  map: MapSign,
  wrench: Wrench,
  globe: Globe,
}
