// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Allocation} from "./Types.sol";

/// @notice The division of the payments of a claim between its slices and its beneficiary, in proportion to their
/// faces.
///
/// Shares follow from the sum of all payments, and grow with it. So the number and the order of the payments change no
/// share. Faces are below 2^128, so no product overflows.
library PaidShares {
    /// @notice Divides the first `paidFaceValue` base units of a claim: a share for each slice, the rest for the
    /// beneficiary.
    /// @dev A share is the face of its slice, times what the earlier slices leave of the payment, over what they leave
    /// of the face, rounded down. Shares and rest add up to `paidFaceValue`. A share is the face of its slice once the
    /// whole claim is paid.
    function divide(Allocation[] memory slices, uint256 faceValue, uint256 paidFaceValue)
        internal
        pure
        returns (uint256[] memory shares, uint256 beneficiaryShare)
    {
        shares = new uint256[](slices.length);
        beneficiaryShare = paidFaceValue;
        uint256 remainingFace = faceValue;
        for (uint256 i; i < slices.length; ++i) {
            shares[i] = slices[i].faceAmount * beneficiaryShare / remainingFace;
            beneficiaryShare -= shares[i];
            remainingFace -= slices[i].faceAmount;
        }
    }

    /// @notice The part of the advance for the first `faceAmount` base units of a slice, rounded down.
    function advanceOf(Allocation memory slice, uint256 faceAmount) internal pure returns (uint256) {
        return slice.advanceAmount * faceAmount / slice.faceAmount;
    }
}
