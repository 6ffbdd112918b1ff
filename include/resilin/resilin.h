// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// resilin.h: everything of the core, in reading order. io.h is apart: it belongs to libresilin_io.

#pragma once

#include "resilin/base.h"
#include "resilin/body.h"
#include "resilin/scene.h"
#include "resilin/tree.h"
#include "resilin/shape.h"
#include "resilin/model.h"
#include "resilin/state.h"
#include "resilin/lod.h"
#include "resilin/solver.h"
#include "resilin/realtime.h"
#include "resilin/observe.h"
#include "resilin/field.h"
#include "resilin/probe.h"
#include "resilin/modes.h"
#include "resilin/measure.h"
#include "resilin/export.h"
#include "resilin/element.h"
