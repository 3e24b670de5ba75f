// SPDX-License-Identifier: MIT
// Quadtree and octree: every invariant, for tests and bug reports.
#include "base/float_env.h"
#include "broad_phase/tree.h"

#include <math.h>
#include <string.h>

#define SEEN 0x80u

// Each live slot once, with the box it has in the set.
static bool validateItems( const joTree* tree, const joBoxSet* set )
{
    joBoxColumns columns = joTree_Columns( tree );
    uint8_t* levels = tree->levels.data; // marked and unmarked again
    bool valid = tree->itemCount == set->liveCount;
    uint32_t marked = 0;
    for ( ; valid && marked < tree->itemCount; ++marked )
    {
        uint32_t slot = columns.index[marked] & JO_INDEX_MASK;
        if ( slot >= set->count || ( levels[slot] & SEEN ) != 0 )
        {
            valid = false;
            break;
        }
        levels[slot] |= SEEN;
        const joBoxRecord* record = set->records + slot;
        valid = ( columns.index[marked] & JO_OWNER_BITS ) == JO_OWNER_BITS &&
                record->lower[0] <= record->upper[0];
        for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
        {
            valid = valid && columns.lower[k][marked] == record->lower[k] &&
                    columns.upper[k][marked] == record->upper[k];
        }
    }
    for ( uint32_t i = 0; i < marked; ++i )
    {
        levels[columns.index[i] & JO_INDEX_MASK] &= (uint8_t)~SEEN;
    }
    return valid;
}

// Entries nest, their items follow each other, their bounds are the bounds of what they hold, and no larger.
static bool validateEntries( const joTree* tree )
{
    const joTreeEntry* entries = tree->entries.data;
    joBoxColumns columns = joTree_Columns( tree );
    for ( uint32_t e = 0; e < tree->entryCount; ++e )
    {
        const joTreeEntry* entry = entries + e;
        if ( entry->skip <= e || entry->skip > tree->entryCount || entry[1].first < entry->first ||
             entry[1].first > tree->itemCount || entries[entry->skip].first == entry->first )
        {
            return false;
        }
        for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
        {
            float lower = INFINITY, upper = -INFINITY;
            for ( uint32_t i = entry->first; i < entry[1].first; ++i )
            {
                lower = columns.lower[k][i] < lower ? columns.lower[k][i] : lower;
                upper = columns.upper[k][i] > upper ? columns.upper[k][i] : upper;
            }
            uint32_t below = e + 1;
            for ( ; below < entry->skip; below = entries[below].skip )
            {
                lower = entries[below].lower[k] < lower ? entries[below].lower[k] : lower;
                upper = entries[below].upper[k] > upper ? entries[below].upper[k] : upper;
                if ( entries[below].skip <= below )
                {
                    return false;
                }
            }
            if ( below != entry->skip || lower != entry->lower[k] || upper != entry->upper[k] )
            {
                return false;
            }
        }
    }
    return entries[0].first == 0 && entries[tree->entryCount].first == tree->itemCount;
}

static bool validateGroups( const joTree* tree )
{
    const joTreeEntry* entries = tree->entries.data;
    const joTreeGroup* groups = tree->groups.data;
    const uint32_t* ends = tree->ends.data;
    joBoxColumns columns = joTree_Columns( tree );
    for ( uint32_t g = 0; g < tree->groupCount; ++g )
    {
        const joTreeGroup* group = groups + g;
        uint32_t end = group[1].first;
        if ( end <= group->first || end - group->first > JO_TREE_GROUP || group->start > group[1].entry ||
             group->node > group->entry || entries[group->entry].first != group->first ||
             entries[group->start].first != end )
        {
            return false;
        }
        for ( uint32_t i = group->first; i < end; ++i )
        {
            if ( ends[i] <= i || ends[i] > end || ( tree->loose && ends[i] != end ) )
            {
                return false;
            }
            for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
            {
                if ( columns.lower[k][i] < group->bounds[k] || columns.upper[k][i] > group->bounds[k + 3] )
                {
                    return false;
                }
            }
        }
    }
    return groups[0].first == 0 && groups[tree->groupCount].first == tree->itemCount;
}

// The rules of placing, for one node: all in its subtree lie in its cell; its own items stand at their level,
// or higher only in a leaf that need not split; and it has split only because it had to.
static bool validateNode( const joTree* tree, const joBoxSet* set, const joTreeRecord* node )
{
    const uint32_t* index = tree->index.data;
    uint32_t leafCapacity = tree->context->def->leafCapacity;
    bool leaf = node->own == node->total;
    if ( node->level > tree->context->def->maxDepth || node->first + node->total > tree->itemCount ||
         ( !tree->loose && !leaf && node->total <= leafCapacity ) )
    {
        return false;
    }
    uint32_t shift = JO_TREE_DIGITS - node->level;
    joTreePlace first = joTree_Place( tree, set->records + ( index[node->first] & JO_INDEX_MASK ) );
    for ( uint32_t i = node->first; i < node->first + node->total; ++i )
    {
        joTreePlace place = joTree_Place( tree, set->records + ( index[i] & JO_INDEX_MASK ) );
        for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
        {
            if ( place.cell[k] >> shift != first.cell[k] >> shift )
            {
                return false;
            }
        }
        bool own = i - node->first < node->own;
        bool mayStay = !tree->loose && leaf && node->total <= leafCapacity;
        if ( place.level < node->level || ( own && place.level > node->level && !mayStay ) ||
             ( !own && place.level == node->level ) )
        {
            return false;
        }
    }
    return true;
}

// Nodes in pre-order, with the path to each. A strict leaf that need not split stands right below a node that
// had to.
static bool validateNodes( const joTree* tree, const joBoxSet* set )
{
    const joTreeRecord* records = tree->records.data;
    const joTreeRecord* path[JO_MAX_TREE_DEPTH + 1];
    uint32_t pathCount = 0, deepest = 0;
    uint64_t owned = 0;
    for ( uint32_t r = tree->nodeCount; r-- > 0; )
    {
        const joTreeRecord* node = records + r;
        while ( pathCount > 0 && r < path[pathCount - 1]->mark )
        {
            pathCount -= 1;
        }
        const joTreeRecord* parent = pathCount > 0 ? path[pathCount - 1] : NULL;
        bool early =
            !tree->loose && node->own == node->total && node->total <= tree->context->def->leafCapacity;
        if ( node->mark > r || node->own > node->total || node->total == 0 ||
             !validateNode( tree, set, node ) || ( parent != NULL && parent->level >= node->level ) ||
             ( early && node->level > 0 && ( parent == NULL || parent->level + 1 != node->level ) ) )
        {
            return false;
        }
        path[pathCount++] = node;
        owned += node->own;
        deepest = node->level > deepest ? node->level : deepest;
    }
    return owned == tree->itemCount && deepest == tree->depth;
}

bool joTree_Validate( const void* structure, const joBoxSet* set )
{
    const joTree* tree = structure;
    if ( tree->itemCount == 0 || set->liveCount == 0 )
    {
        return tree->itemCount == set->liveCount && tree->entryCount == 0 && tree->groupCount == 0;
    }
    return validateItems( tree, set ) && validateEntries( tree ) && validateGroups( tree ) &&
           validateNodes( tree, set );
}
